"""Make one HTML page of what a memory contains: see page.py."""
