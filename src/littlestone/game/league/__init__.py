"""The league: any models side by side, and a mixture of them served, with a theorem for every stretch of rounds."""
