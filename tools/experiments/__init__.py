"""Three experiments that tell whether the memory of a repository works for a host."""
