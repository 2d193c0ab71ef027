"""The write gate: secrets, personal data and prompt injection (families G and J)."""
