"""What a model file is made of: plain values, a container, records of learners, and what a loaded state must obey."""
