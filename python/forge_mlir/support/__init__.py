"""What every layer may use and that knows nothing of models: a sandbox for foreign code, names loaded lazily."""
