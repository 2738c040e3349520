"""A compilation in parts: files between its stages, emission of lowered IR, passes one by one."""
