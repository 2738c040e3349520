"""The choice of float formats: which nodes stay in Float32, and what a budget of error admits."""
