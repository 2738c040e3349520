"""Each distinct node of a model, verified as a model of its own."""
