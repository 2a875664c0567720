"""Certificates checked, in exact arithmetic and by nothing that made them."""
