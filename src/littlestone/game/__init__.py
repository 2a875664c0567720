"""The game: a player made of a learner, rounds played, recorded, judged, explained, certified, verified, saved."""
