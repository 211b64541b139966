"""Sources: the same rows from files, folders, data sets and functions; errors name the file."""

import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pytest

from rdep.blocks._sources import parts_of


@pytest.fixture
def frame():
    return pd.DataFrame({"a": range(100), "b": [f"t{k % 3}" for k in range(100)]})


@pytest.fixture
def folder(frame, tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    for k in range(4):
        frame[25 * k : 25 * k + 25].to_parquet(folder / f"part-{k}.parquet")
    (folder / "_SUCCESS").touch()
    (folder / ".part-0.parquet.crc").touch()
    return folder


def read(source):
    blocks = [block for part in parts_of(source) for block in part.blocks()]
    return pd.concat([block.table.to_pandas() for block in blocks], ignore_index=True)


def test_the_same_rows_from_all_sources(frame, folder, tmp_path):
    csv, feather = tmp_path / "table.csv", tmp_path / "table.feather"
    frame.to_csv(csv, index=False)
    frame.to_feather(feather)
    batches = pa.Table.from_pandas(frame).to_batches(max_chunksize=30)
    sources = [
        csv,
        str(feather),
        folder,
        pyarrow.dataset.dataset(folder / "part-0.parquet"),
        pyarrow.dataset.dataset([folder / f"part-{k}.parquet" for k in range(4)]),
        lambda: (frame[k : k + 7] for k in range(0, 100, 7)),
        lambda: batches,
        lambda: [pa.Table.from_batches(batches)],
    ]
    for source in sources:
        found = read(source)
        expected = frame[:25] if len(found) == 25 else frame
        pd.testing.assert_frame_equal(found.astype({"a": int}), expected, check_dtype=False)


def test_rows_have_numbers_and_the_name_of_their_file(folder):
    blocks = [block for part in parts_of(folder) for block in part.blocks()]
    assert [block.source for block in blocks] == [
        str(folder / f"part-{k}.parquet") for k in range(4)
    ]
    assert blocks[2].row(3) == 4


def test_a_stray_file(folder):
    (folder / "notes.txt").write_text("remember")
    with pytest.raises(ValueError, match=r"notes.txt is a stray file: .* end in '.parquet'"):
        parts_of(folder)


def test_an_empty_folder_and_a_nested_one(tmp_path):
    with pytest.raises(ValueError, match="has no files"):
        parts_of(tmp_path)
    (tmp_path / "year=2020").mkdir()
    with pytest.raises(ValueError, match="has a folder in it, 'year=2020'"):
        parts_of(tmp_path)


def test_what_is_no_source():
    with pytest.raises(TypeError, match="source must be a path"):
        parts_of(3)
    (part,) = parts_of(lambda: [[1, 2]])
    with pytest.raises(TypeError, match="block 1 is of type list"):
        list(part.blocks())


def test_a_fragment_of_other_types(tmp_path, frame):
    for k, values in enumerate((["1", "2"], ["x", "y"])):
        pd.DataFrame({"a": values}).to_csv(tmp_path / f"{k}.csv", index=False)
    source = pyarrow.dataset.dataset(tmp_path, format="csv")
    with pytest.raises(ValueError, match=r"1.csv is damaged or has columns of other types"):
        read(source)
