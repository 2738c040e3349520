"""Errors that are planted in the C++ sources, and how soon the checks of passes find them."""
