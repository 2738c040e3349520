"""The implementations that results are compared with, and the tolerances."""
