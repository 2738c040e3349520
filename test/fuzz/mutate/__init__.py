"""Changes of what is valid: some mean nothing, the others must break nothing."""
