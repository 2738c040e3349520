"""Programs that generate tokens: their steps, and the facts of the loop."""
