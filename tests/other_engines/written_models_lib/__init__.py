"""Parts of written_models.py."""
