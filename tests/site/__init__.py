"""The no-install site."""
