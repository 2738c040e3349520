"""Inputs that models are verified with, and outputs that are expected."""
