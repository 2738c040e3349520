"""The numbers by which functions are evaluated: float64, and elements of a finite field, which are exact."""
