"""Commands that are killed, or that cannot write, at random moments: no file of the user may be lost."""
