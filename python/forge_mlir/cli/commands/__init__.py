"""The subcommands, one file per group. Each file lists its commands in `COMMANDS`; `main` adds them."""
