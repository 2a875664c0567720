"""Readers: one data format a file. Bytes in, chunks out; they know nothing of learners."""
