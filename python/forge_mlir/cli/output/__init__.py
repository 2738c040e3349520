"""What the command prints: tables, errors, summaries and results."""
