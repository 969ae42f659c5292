"""OpenVINO's names for what the extension module has, and what says why one is missing."""
