"""Checks forge-itd on random programs.

`enumeration` computes every answer by placing each element of a tensor into its buffer. `model` is a second
implementation of the rules, whose rules can be replaced by wrong ones: the check must distinguish it from a correct
one.
"""
