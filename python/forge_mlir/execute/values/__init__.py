"""Conversions of arrays: files, random inputs, and values of other libraries."""
