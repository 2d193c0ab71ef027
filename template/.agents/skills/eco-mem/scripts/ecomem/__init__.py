"""The library behind verify.py, remember.py, forget.py and hook.py."""
