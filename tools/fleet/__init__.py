"""Look at many repositories that have eco-mem, and update them: see fleet.py."""
