"""Raw text."""

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.base.features import tokenizer
from littlestone.readers import text

one = property_of("text")


def seeds() -> list[bytes]:
    return [
        b"ham\tSee you at five?\nspam\tFREE entry: text WIN to 80086 now!\n",
        "eins\tGrüße, schöne Straße\r\n\r\nzwei\t日本語 text\n".encode(),
        b"a\t\nb\t" + b"long" * 30 + b"\nno tab\n\tno label\nlast\tline",
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [text, tokenizer])
