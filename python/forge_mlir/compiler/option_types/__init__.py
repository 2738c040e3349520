"""What an option of the compiler is: its name, its values, and how a command line gives it."""
