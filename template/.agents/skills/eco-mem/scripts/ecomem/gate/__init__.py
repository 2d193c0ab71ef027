"""The write gate: secrets, personal data and prompt injection (families G and J)."""

LONGEST = 4000  # characters of a line that a rule reads; the size cap is elsewhere
