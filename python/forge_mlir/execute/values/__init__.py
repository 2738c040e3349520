"""Arrays as files, as random inputs, and as the values of other libraries."""
