"""What the command prints: tables, errors, summaries, results."""
