"""Commands that are killed, or that cannot write, at random moments: nothing of the user's may be lost."""
