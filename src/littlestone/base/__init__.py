"""What everything agrees on: errors, chunks of rounds, labels, features, contracts of learner and environment."""
