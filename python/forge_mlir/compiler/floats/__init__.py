"""Float formats: which nodes stay in Float32, and which nodes an error budget requires to do so."""
