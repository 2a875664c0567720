"""Certificates: what a theorem allowed on the rounds played; digests of streams, risk on new rounds, stopping."""
