"""Changes of valid models: some must not change the results, the others must not crash the compiler."""
