"""Real tables are read as pandas reads them, where those data are at hand; a clone has none."""

import numpy as np
import pandas as pd
import pytest

from littlestone.readers.reading import read
from places import DATA


def needed(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is real data that is not part of this repository")
    return path


def test_electricity_is_dense_and_has_the_numbers_of_pandas():
    path = needed("electricity/elec.csv.gz")
    frame = pd.read_csv(path)
    stream = read(path)
    chunks = list(stream.chunks())
    assert len(chunks) > 2
    values = np.concatenate([chunk.values for chunk in chunks]).reshape(-1, 6)
    assert (values == frame.drop(columns="class").to_numpy().astype(np.float32)).all()
    assert (np.concatenate([chunk.labels for chunk in chunks]) == frame["class"]).all()
    assert stream.features().names == tuple(frame.columns[:-1])


def test_mushrooms_are_names_of_columns_and_cells():
    path = needed("mushroom/agaricus-lepiota.data")
    frame = pd.read_csv(path, header=None, keep_default_na=False)
    (chunk,) = read(path, label=0).chunks()
    assert chunk.labels.tolist() == frame[0].tolist()
    expected = [
        {f"c{j}={cell}": 1.0 for j, cell in enumerate(row) if j and cell != "?"} for row in frame.to_numpy().tolist()
    ]
    assert list(chunk) == expected


def test_the_panel_has_a_nominal_date_beside_its_numbers():
    path = needed("load_panel/regional_panel.csv")
    frame = pd.read_csv(path)
    (chunk,) = read(path, label="Load").chunks()
    assert chunk.labels.tolist() == frame["Load"].tolist()
    numbers = frame.drop(columns=["Date", "Load"]).astype(np.float32)
    for t, row in enumerate(chunk):
        assert row.pop(f"Date={frame['Date'][t]}") == 1
        assert row == {name: float(value) for name, value in numbers.iloc[t].items()}
