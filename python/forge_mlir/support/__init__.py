"""What every layer may use, and what knows nothing of models: a sandbox for native code, names loaded lazily."""
