"""Commands: one verb of the command line a file. Each turns what was typed into a game and holds no learning rule."""
