"""The command `learn`: a stream goes in; predictions, a model and a certificate come out."""

import json
import sys
from typing import Any

import click

from littlestone.cli.commands.data import json_option, plain, reads_data
from littlestone.cli.commands.run import Run


@click.command()
@click.argument("data", nargs=-1, required=True)
@click.option("--learner", metavar="NAME", help="A learner, such as winnow; none: averaged perceptron, any classes.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter of the learner.")
@click.option("--model", type=click.Path(dir_okay=False), help="Save what was learned here.")
@click.option("--resume", is_flag=True, help="Go on with the model: where an interrupted run stopped, or on new data.")
@click.option("--passes", type=click.IntRange(1), default=1, show_default=True, help="How often to read the data.")
@click.option("--shuffle-buffer", type=click.IntRange(2), metavar="N", help="Shuffle within windows of N rounds.")
@click.option("--holdout", type=click.IntRange(2), metavar="N", help="Learn all but every Nth round; judge on those.")
@click.option("--checkpoint", type=click.IntRange(1), metavar="N", help="Save the model every N rounds.")
@click.option("--seed", type=int, default=0, show_default=True, help="For coins and shuffling.")
@click.option("--certify", is_flag=True, help="Add a certificate: read the data once more for the best comparator.")
@click.option(
    "--until-error",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="RATE",
    help="Stop reading once an error of at most RATE is certified for new rounds.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.99,
    show_default=True,
    help="Of what is said about new rounds.",
)
@click.option("--check-order", is_flag=True, help="Play the rounds in 99 other orders too: does their order matter?")
@click.option("--predictions", type=click.Path(dir_okay=False), help="Write each round's guess here, one a line.")
@click.option("--mistakes", "journal", type=click.Path(dir_okay=False), help="Write each mistake here (JSON lines).")
@click.option("--report", type=click.Path(dir_okay=False), help="Write a page about the run here (HTML).")
@click.option("--cluster", metavar="auto|ADDRESS", help="Learn each file as a shard on Ray; `local` starts one here.")
@click.option(
    "--mixing", type=click.Choice(["uniform", "updates"]), help="With --cluster: shards count alike, or by updates."
)
@click.option("--quiet", is_flag=True, help="No progress, and no summary without --json.")
@reads_data
@json_option
def learn(data: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Learn DATA in one pass, every round judged before it is learned.

    \b
    littlestone learn messages.txt --model spam.lst
    littlestone learn rows.svm --learner winnow --set promotion=1.5 --certify
    cat rows.csv | littlestone learn - --format csv --label income
    """
    from littlestone.cli.commands.summary import Summary

    if given["cluster"]:
        from littlestone.cli.commands.cluster import learn_shards

        learn_shards(data, given, as_json)
        return
    if given["mixing"]:
        raise click.UsageError("--mixing says how shards are weighed: it goes with --cluster auto|ADDRESS|local")
    run = Run(data, given)
    record = run.play()
    if as_json:
        click.echo(json.dumps(record, default=plain))
    elif not given["quiet"]:
        click.echo(str(Summary(record)))
    if given["report"]:
        from littlestone.plot.report import write

        write(given["report"], run.first, Summary(record).facts(), record)
    if run.stopped_by:
        click.echo(run.farewell(), err=True)
        sys.exit(128 + run.stopped_by)
