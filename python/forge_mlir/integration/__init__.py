"""Entry points for users of torch modules, torch.compile, onnxruntime's interface, and folders of models.

May import everything below the command.
"""
