"""Converts a language model to programs of fixed shapes: prompts and single tokens, over caches of one size.

Runs in the child process, on the model without weights. `recognise` determines the roles of inputs and outputs,
`rewrite` traverses the graph once; `arithmetic`, `attention`, `caches`, `indices`, `movement`, `slices` and `states`
contain the rules for ops.
"""
