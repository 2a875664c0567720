"""Fuzz targets, one a file: each is a property of any bytes, and `python -m fuzz.NAME` hunts for a counterexample.

A target has `seeds()`, inputs to start from, and `one(data)`, which must return for any bytes: whatever it raises, and
a crash or a hang above all, is a finding. `harness.hunt` runs them under atheris; options are libFuzzer's, such as
`-max_total_time=60`. Tests call the same properties on inputs of their own.
"""
