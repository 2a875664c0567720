

# -------------------------------------------------------------------------------------------------------------- verdict

ADDITIVE = ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "AggressivePerceptron", "PassiveAggressive", "Alma",
            "Romma", "Network")


def find_check(name):
    """The check of a learner by its name."""
    if name in ADDITIVE:
        return check_additive
    raise NotCovered(f"{name} is not covered here")


def verify(text, name, data):
    """Check a certificate against data; raises `Refused`, `NotCovered` or `BadData`, or returns what was verified."""
    try:
        certificate = Certificate(text)
        about = certificate.learner
        need(type(about.get("name")) is str, "it does not say of which learner it speaks")
        check = find_check(about["name"])
        if "mixing" in about:
            raise NotCovered("runs over shards are not covered here")
        check(certificate, read_data(name, data, certificate))
        need(certificate.counted <= certificate.bound, f"{certificate.counted} exceeds the bound {certificate.bound}")
        return certificate
    except MALFORMED as problem:
        raise Refused(f"it is malformed: {problem!r}") from problem


def say(certificate):
    """What was verified, in words."""
    counted, bound = certificate.counted, certificate.bound
    told = f"{counted} {certificate.counts} <= {bound} over {certificate.rounds} rounds"
    how = "exactly" if certificate.exact else "the counts exactly, the theorem up to the rounding of the run"
    return f"true: {told}, {how} ({certificate.theorem})"


def main(arguments):
    """Verify the certificate and the data that are named; the exit status."""
    if len(arguments) != 2:
        print("usage: python littlestone_verify.py certificate.json data", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            text = file.read()
        with open(arguments[1], "rb") as file:
            data = file.read()
        print(say(verify(text, arguments[1], data)))
        return 0
    except Refused as problem:
        print(f"false: {problem}")
        return 1
    except NotCovered as problem:
        print(f"not covered here: {problem}")
        return 2
    except (BadData, OSError, UnicodeDecodeError) as problem:
        print(f"cannot be read: {problem}")
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
