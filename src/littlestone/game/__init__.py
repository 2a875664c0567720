"""The game: a learner seated as a player, rounds played, recorded, judged, explained, certified, verified, saved."""
