"""A language model as programs of fixed shapes: one for a prompt, one for a token, over caches of one size.

Runs in the child process, on the model without weights. `recognise` finds what the inputs and outputs are, `rewrite`
walks the graph once; `arithmetic`, `attention`, `caches`, `indices`, `movement`, `slices` and `states` have the rules
of ops.
"""
