"""What families of learners share: compiled loops over rows, states, scores, probabilities, kernels, matrices."""
