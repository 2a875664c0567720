"""Certificates made: the smallest bound that the learner's theorems give, one module for each kind of facts."""
