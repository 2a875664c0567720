"""The fast reader of CSV: a file is surveyed, cells are found and read many at once, rows are put together."""
