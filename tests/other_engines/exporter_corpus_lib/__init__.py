"""Models in many forms, as today's exporters write them, and how they are checked."""
