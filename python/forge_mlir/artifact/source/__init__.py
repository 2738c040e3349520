"""Reads the Python source of an emitted module, which its user may have edited."""
