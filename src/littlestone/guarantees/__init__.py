"""From mistakes to guarantees: may I stop, how wrong can it be on new data, which learner should I use."""
