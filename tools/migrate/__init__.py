"""Take an existing memory into the drawers of eco-mem: see migrate.py."""
