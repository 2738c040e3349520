"""Parts of a compilation: files between stages, emission of lowered IR, single passes."""
