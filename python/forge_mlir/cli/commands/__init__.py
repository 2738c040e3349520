"""The subcommands, a file per group. Each file lists its own in `COMMANDS`; `main` adds them."""
