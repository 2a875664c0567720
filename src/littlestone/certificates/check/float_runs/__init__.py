"""Runs played again in their own floats, operation by operation, so that every guess and update has one true value."""
