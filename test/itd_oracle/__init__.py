"""A check of forge-itd on random programs.

`enumeration` finds every answer by placing each element of a tensor into its buffer, `model` is a second implementation
of the rules whose rules can be replaced by wrong ones: the check must tell it from a right one.
"""
