"""Types of compiler options: name, values, and the spelling on the command line."""
