"""Pictures of reports in a headless browser, for people to look at."""
