"""Models of many spellings, as today's exporters write them, and how they are checked."""
