"""The paper's data sets from a folder and from a cache of OpenML."""

import gzip
import hashlib
import json

import numpy as np
import pytest

from rdep.datasets import find_paper_dataset, load_paper_dataset, paper_datasets

ARFF = """% a comment
@relation haberman
@attribute 'Age' integer
@attribute colour {red, green, blue}
@attribute nodes real
@attribute Survival_status {1, 2}
@data
30, blue, 1.5, 1
?, red, 2, 2
33, green, ?, 1
"""


@pytest.fixture
def small_entry(monkeypatch):
    """A registry with one small data set."""
    entry = find_paper_dataset("Haberman")
    small = type(entry)(
        **{
            **vars(entry), "target": "Survival_status", "instances": 3, "features": 3,
            "negatives": 2, "positives": 1, "negative_label": "1", "positive_label": "2",
        }
    )  # fmt: skip
    monkeypatch.setattr("rdep.datasets._paper.paper_datasets", lambda: (small,))
    return small


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "haberman-1.arff").write_text(ARFF)
    return tmp_path


def test_the_registry_is_the_papers_table(data_dir):
    entries = paper_datasets()
    assert len(entries) == 30
    table = (data_dir.parent / "paper" / "table-3-datasets.csv").read_text().splitlines()[1:]
    for entry, line in zip(entries, table, strict=True):
        _, name, instances, features, negative, positive, openml_name, version = line.split(",")
        assert (entry.name, entry.openml_name) == (name, openml_name)
        assert (entry.instances, entry.features) == (int(instances), int(features))
        assert entry.percentages == (int(negative), int(positive))
        assert entry.version == int(version)


LARGEST = {"arcene", "Internet-Advertisements"}  # reading each takes seconds


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            entry,
            id=entry.openml_name,
            marks=[pytest.mark.slow] if entry.openml_name in LARGEST else [],
        )
        for entry in paper_datasets()
    ],
)
def test_every_data_set_of_the_folder_is_the_papers(data_dir, entry):
    dataset = load_paper_dataset(entry.name, data_dir=data_dir / "openml")
    assert dataset.X.shape == (entry.instances, entry.features)
    assert dataset.y.sum() == entry.positives


def test_the_folder_may_be_one_above(data_dir):
    direct = load_paper_dataset("Sonar", data_dir=data_dir / "openml")
    above = load_paper_dataset("sonar", data_dir=data_dir)
    assert direct.sha256 == above.sha256


def test_codes_follow_the_declaration_and_missing_values_stay(small_entry, folder):
    dataset = load_paper_dataset("Haberman", data_dir=folder)
    nan = np.nan
    expected = [[30, 2, 1.5], [nan, 0, 2], [33, 1, nan]]
    assert np.array_equal(dataset.X, expected, equal_nan=True)
    assert dataset.y.tolist() == [0, 1, 0]
    assert dataset.feature_names == ("Age", "colour", "nodes")
    assert dataset.labels == ("1", "2")


def test_gzipped_files(small_entry, folder):
    plain = load_paper_dataset("Haberman", data_dir=folder)
    path = folder / "haberman-1.arff"
    (folder / "haberman-1.arff.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert load_paper_dataset("Haberman", data_dir=folder).sha256 == plain.sha256


def test_the_manifest_guards_the_files(small_entry, folder):
    path = folder / "haberman-1.arff"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps([{"file": path.name, "sha256": digest}]))
    load_paper_dataset("Haberman", data_dir=folder)
    path.write_text(ARFF.replace("1.5", "1.6"))
    with pytest.raises(ValueError, match="not the file that manifest.json"):
        load_paper_dataset("Haberman", data_dir=folder)
    manifest.write_text("[{")
    with pytest.raises(ValueError, match="manifest.json cannot be read"):
        load_paper_dataset("Haberman", data_dir=folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ARFF.replace("33, green, ?, 1\n", ""), "2 samples instead of 3, 1 negative"),
        (ARFF.replace("@attribute nodes real\n", "").replace(", 1.5", "").replace(", 2,", ",")
         .replace(", ?", ""), "2 features instead of 3"),
        (ARFF.replace("@attribute Survival_status", "@attribute other"), "no attribute 'Surviv"),
        (ARFF.replace("blue, 1.5", "mauve, 1.5"), r"haberman-1.arff cannot be read.*line 8"),
        (ARFF.replace("blue, 1.5", "%d, 1.5"), r"haberman-1.arff cannot be read.*line 8"),
        (ARFF.replace("33, green", "33 green"), r"haberman-1.arff cannot be read.*line 10"),
        (ARFF[: ARFF.index("@data")], "haberman-1.arff"),
        (ARFF[: ARFF.index("30, blue")], "no rows"),
        (ARFF.replace("{1, 2}", "{1, 2, 3}").replace("2, 2", "2, 3"), r"values \['3'\] besides"),
        ("", "haberman-1.arff"),
    ],
)  # fmt: skip
def test_other_data_is_told_from_the_papers(small_entry, folder, text, message):
    (folder / "haberman-1.arff").write_text(text)
    with pytest.raises(ValueError, match=message):
        load_paper_dataset("Haberman", data_dir=folder)


def test_cut_and_binary_files(small_entry, folder):
    (folder / "haberman-1.arff").unlink()
    path = folder / "haberman-1.arff.gz"
    path.write_bytes(gzip.compress(ARFF.encode())[:-20])
    with pytest.raises(ValueError, match="damaged or truncated"):
        load_paper_dataset("Haberman", data_dir=folder)
    path.write_bytes(gzip.compress(b"\xff\xfe\x00"))
    with pytest.raises(ValueError, match="not a text file"):
        load_paper_dataset("Haberman", data_dir=folder)


def test_unknown_names_offer_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'Titanic'"):
        load_paper_dataset("Titanik")
    with pytest.raises(ValueError, match="known: Arsene, Australian"):
        load_paper_dataset("zzzzzz")
    assert find_paper_dataset("KR-VS-KP").name == "Chess"


def test_a_missing_folder_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="is not a folder"):
        load_paper_dataset("Sonar", data_dir=tmp_path / "nowhere")


def openml_cache(home, entry, text):
    """What scikit-learn's fetch_openml leaves on disk after fetching a data set."""
    base = home / "openml" / "openml.org"
    key = entry.openml_id
    url = f"https://www.openml.org/data/v1/download/1/{entry.openml_name}.arff"
    features = [
        {"index": str(i), "name": name, "data_type": kind,
         "is_target": str(name == entry.target).lower(),
         "is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
        for i, (name, kind) in enumerate(
            [("Age", "numeric"), ("colour", "nominal"), ("nodes", "numeric"),
             (entry.target, "nominal")]
        )
    ]  # fmt: skip
    contents = {
        f"api/v1/json/data/{key}": json.dumps(
            {"data_set_description": {
                "id": str(key), "name": entry.openml_name, "version": "1", "format": "ARFF",
                "description": "",
                "status": "active", "file_id": "1", "url": url,
                "default_target_attribute": entry.target,
                "md5_checksum": hashlib.md5(text.encode()).hexdigest(),
            }}
        ),
        f"api/v1/json/data/features/{key}": json.dumps({"data_features": {"feature": features}}),
        f"api/v1/json/data/qualities/{key}": json.dumps(
            {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "3"},
                                            {"name": "NumberOfFeatures", "value": "4"}]}}
        ),
        "data/v1/download/1/haberman.arff": text,
    }  # fmt: skip
    for name, content in contents.items():
        path = base / f"{name}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(content.encode()))


def test_openml_through_its_cache_gives_the_same_numbers(small_entry, folder, tmp_path):
    openml_cache(tmp_path / "home", small_entry, ARFF)
    fetched = load_paper_dataset("Haberman", data_home=tmp_path / "home")
    read = load_paper_dataset("Haberman", data_dir=folder)
    assert fetched.source == f"OpenML {small_entry.openml_id}"
    assert np.array_equal(fetched.X, read.X, equal_nan=True)
    assert fetched.y.tolist() == read.y.tolist()
    assert fetched.sha256 == read.sha256


def test_without_network_and_folder_the_message_says_what_works(monkeypatch, tmp_path):
    def no_network(**_):
        raise OSError("no network")

    monkeypatch.setattr("rdep.datasets._paper.fetch_openml", no_network)
    with pytest.raises(ConnectionError, match="--suite quick"):
        load_paper_dataset("Sonar", data_home=tmp_path)
    with pytest.raises(ConnectionError, match="could not be fetched"):
        load_paper_dataset("Sonar", data_dir=tmp_path)
