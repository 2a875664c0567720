"""What learners from expert advice share: forecasts, losses and the compiled loops over weights."""
