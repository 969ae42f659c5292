"""Parts of openvino_interchange.py."""
