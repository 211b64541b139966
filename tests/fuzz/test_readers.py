"""Damaged and made-up files: the documented errors, and nothing else."""

import gzip
import struct
import subprocess
import sys
import tracemalloc

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather

from rdep.datasets._arff import read_arff

from . import atheris_run
from .readers import TARGETS
from .seeds import SEEDS


@st.composite
def damaged(draw, seed: bytes):
    """A well-formed file after some bytes were changed, cut out, doubled or put in."""
    content = bytearray(seed)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 12)))
        kind = draw(st.sampled_from(["flip", "cut", "double", "insert"]))
        if kind == "flip" and start < len(content):
            content[start] ^= 1 << draw(st.integers(0, 7))
        elif kind == "cut":
            del content[start:end]
        elif kind == "double":
            content[end:end] = content[start:end]
        else:
            content[start:start] = draw(st.binary(max_size=8))
    return bytes(content)


@pytest.mark.parametrize("name", TARGETS)
def test_a_well_formed_file_is_read(name):
    assert TARGETS[name](SEEDS[name])


@pytest.mark.filterwarnings("ignore")  # pandas may warn of odd columns
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files(name):
    @settings(max_examples=50)
    @given(damaged(SEEDS[name]))
    def check(content):
        TARGETS[name](content)

    check()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_any_bytes(name):
    @settings(max_examples=30)
    @given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode()))
    def check(content):
        TARGETS[name](content)

    check()


@pytest.mark.parametrize(
    "content",
    [
        b'{"crc": 0, "row": ' + b"[" * 100_000 + b"\n",
        b"9" * 100_000 + b"\n",
        b"\n" * 100_000,
        b"\xff" * 100_000 + b"\n",
    ],
)
def test_a_store_of_nonsense_takes_little_memory(content):
    tracemalloc.start()
    accepted = TARGETS["store"](content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not accepted
    assert peak < 100 * len(content)


def test_a_small_gzip_that_unfolds_to_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("rdep.datasets._arff._MOST_UNCOMPRESSED", 1 << 20)
    path = tmp_path / "bomb.arff.gz"
    path.write_bytes(gzip.compress(b"%" * 50_000_000))
    tracemalloc.start()
    with pytest.raises(ValueError, match="uncompressed size .* exceeds 1 MiB"):
        read_arff(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("arff_text", SEEDS["arff"].replace(b"1, red", b"1, r%d")),
        ("table", SEEDS["table"].replace(b"a,", b'a\r"b,', 1)),
    ],
)
def test_what_fuzzing_found_once(name, content):
    assert not TARGETS[name](content)


def test_a_text_that_reaches_beyond_its_buffer_is_refused(tmp_path):
    """Found by fuzzing: Arrow does not look, and would read memory that is not the file's."""
    table = pa.table({"a": ["red", "blue"] * 3, "y": ["n", "p"] * 3})
    feather.write_feather(table, tmp_path / "data.feather", compression="uncompressed")
    content = (tmp_path / "data.feather").read_bytes()
    ends = struct.pack("<3i", 14, 17, 21)  # the last texts
    assert content.count(ends) == 1
    assert TARGETS["feather"](content)
    assert not TARGETS["feather"](content.replace(ends, struct.pack("<3i", 14, 17, 400)))


def test_a_finding_does_not_keep_later_targets_from_running(monkeypatch, capsys):
    """With a program in place of the fuzzer that finds something in the first of two targets."""
    program = (
        "import sys; print('#8\\tNEW\\n#64\\tDONE', file=sys.stderr); "
        "sys.exit(sys.argv[3] == 'first')"
    )
    popen = subprocess.Popen

    def fuzzer(command, **options):
        return popen([sys.executable, "-c", program, *command[1:]], **options)

    monkeypatch.setattr(atheris_run.subprocess, "Popen", fuzzer)
    assert atheris_run.run_all(["first", "second"], ["-max_total_time=60"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "first: 64 executions, FINDING",
        "second: 64 executions, no finding",
    ]
