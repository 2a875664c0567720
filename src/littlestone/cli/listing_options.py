"""Options of special kinds: their help lists the names that they take, or their value may be left out."""

from typing import Any

import click


class FormatOption(click.Option):
    """An option that takes the name of a format."""

    def list_names(self) -> list[str]:
        """The names that the option takes."""
        from littlestone.readers.format import list_formats

        return [kind.name for kind in list_formats()]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        found = super().get_help_record(ctx)
        return found and (found[0], f"{found[1]} There are: {', '.join(self.list_names())}.")


class LearnerOption(FormatOption):
    """An option that takes the name of a learner from rows."""

    def list_names(self) -> list[str]:
        from littlestone.cli.commands.learners import list_entries

        return [entry["name"] for entry in list_entries() if entry["group"] == "rows"]


class LeagueOption(click.Option):
    """An option whose value, the members of a league, may be left out."""

    def __init__(self, *names: Any, **about: Any) -> None:
        super().__init__(*names, **about | {"is_flag": False, "flag_value": "default"})
