"""CSV and TSV."""

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.base.features import columns
from littlestone.readers import csv
from littlestone.readers.table import assemble as seats
from littlestone.readers.table import batch as batches
from littlestone.readers.table import block_names as names
from littlestone.readers.table import cells, rows
from littlestone.readers.table import sniff as head

one = property_of("csv")


def seeds() -> list[bytes]:
    return [
        b"age,colour,label\n39,red,yes\n17.5,blue,no\n,red,yes\n1e-3,green,no\n" * 3,
        b'name;size;label\n"Smith; John";1;a\n"said ""no""";-2.5;b\n"two\nlines";3;a\n',
        b"1\t2\t0\r\n3\t4\t1\r\n5\t6\t0\r\n",
        b"a," + b"b" * 120 + b",label\n1,2,x\n3,4,y\n",  # a header longer than a block
        b'a,b,label\n1,2\n1,2,3,4\n"open,2,x\n1,NaN,y\n1,1e999,y\n',
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [csv, batches, cells, columns, head, names, rows, seats])
