"""Errors that are planted in the C++: how soon the checker of passes finds them."""
