"""Models that tests of several packages use: those stored in the repository, and small ones built on the spot."""
