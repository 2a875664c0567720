"""Certificates made: the smallest bound that the learner's theorems give on the rounds that were played."""
