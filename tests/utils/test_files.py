"""Outputs that destroy nothing: files whole or not at all, pipes and devices written through."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rdep._utils._files import as_private_as, check_output, write_atomically, writing_atomically


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_takes_its_name_at_the_end(tmp_path):
    path = tmp_path / "file.txt"
    with writing_atomically(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_text() == "all of it"
    write_atomically(path, "another")
    assert path.read_text() == "another"


def test_an_error_leaves_the_earlier_file_and_nothing_else(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("earlier")
    with pytest.raises(ZeroDivisionError), writing_atomically(path) as file:
        file.write(bytes(1 // 0 for _ in range(2)))
    assert path.read_text() == "earlier"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.txt"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    write_atomically(path, "old\n")

    def no_replace(source, target):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", no_replace)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(path, "new\n")
    assert path.read_text() == "old\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.csv"]


def test_names_as_long_as_names_may_be(tmp_path):
    path = tmp_path / ("ρ" * 127)  # 254 bytes
    write_atomically(path, "short")
    assert path.read_text() == "short"


def test_a_link_stays_and_its_target_is_replaced(tmp_path, monkeypatch):
    (tmp_path / "shared").mkdir()
    target = tmp_path / "shared" / "model"
    target.write_text("old")
    earlier = target.stat().st_ino
    link = tmp_path / "link"
    link.symlink_to(Path("shared") / "model")
    second = tmp_path / "second"
    second.symlink_to("link")
    monkeypatch.chdir(tmp_path)
    write_atomically(Path("second"), "new")
    assert second.is_symlink()
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_ino != earlier  # replaced as a whole
    assert [entry.name for entry in target.parent.iterdir()] == ["model"]


def test_a_link_to_nothing_gets_its_file(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("model")
    write_atomically(link, "new")
    assert link.is_symlink()
    assert (tmp_path / "model").read_text() == "new"


def test_links_in_a_circle_are_refused(tmp_path):
    for one, other in (("a", "b"), ("b", "a")):
        (tmp_path / one).symlink_to(other)
    with pytest.raises(OSError, match="too many links"):
        write_atomically(tmp_path / "a", "new")


def test_a_named_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_atomically(pipe, "through")
    reader.join(10)
    assert read == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device(tmp_path):
    device = tmp_path / "null"
    try:
        os.mknod(device, stat.S_IFCHR | 0o666, os.stat("/dev/null").st_rdev)
    except PermissionError:  # nor can this user replace the system's own
        device = Path("/dev/null")
    try:
        write_atomically(device, "nothing")
    except PermissionError:
        pytest.skip("devices in this folder cannot be opened")
    assert stat.S_ISCHR(device.stat().st_mode)


@pytest.mark.parametrize("place", ["/dev/fd/{}", "/proc/self/fd/{}"])
def test_the_descriptors_of_a_shell(place):
    """As in ``-o >(gzip > file)``."""
    ours, theirs = os.pipe()
    write_atomically(Path(place.format(theirs)), "through")
    os.close(theirs)
    with open(ours) as file:
        assert file.read() == "through"


def test_standard_output_in_a_file_is_appended_to(tmp_path):
    """Another process writes there before and after."""
    link = tmp_path / "link"
    link.symlink_to("/dev/stdout")
    log = tmp_path / "log"
    with log.open("w") as file:
        for place in ("/dev/stdout", link):
            program = (
                "from pathlib import Path; from rdep._utils._files import write_atomically; "
                f"write_atomically(Path({str(place)!r}), 'line\\n')"
            )
            subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
        file.write("end\n")
    assert log.read_text() == "line\nline\nend\n"
    assert {entry.name for entry in tmp_path.iterdir()} == {"link", "log"}


def test_permissions_are_kept_or_those_of_the_umask(tmp_path):
    path = tmp_path / "model"
    usual = os.umask(0o022)
    try:
        write_atomically(path, "first")
        assert mode(path) == 0o644
        for bits in (0o600, 0o640, 0o666):
            path.chmod(bits)
            write_atomically(path, "again")
            assert mode(path) == bits
    finally:
        os.umask(usual)


def test_nobody_reads_before_the_permissions_are_set(tmp_path):
    path = tmp_path / "model"
    path.touch(0o600)
    with writing_atomically(path):
        (partial,) = set(tmp_path.iterdir()) - {path}
        assert mode(partial) == 0o600


@pytest.mark.parametrize(
    ("table", "expected"), [(0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o400, 0o600)]
)
def test_new_files_are_as_private_as_their_source(tmp_path, table, expected):
    usual = os.umask(0o022)
    try:
        (tmp_path / "public").touch(0o644)
        (tmp_path / "table").touch(table)
        with as_private_as(tmp_path / "table", tmp_path / "public", "-", "none"):
            write_atomically(tmp_path / "model", "")
        assert mode(tmp_path / "model") == expected
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(usual)


def test_an_output_is_never_an_input(tmp_path, monkeypatch):
    table = tmp_path / "table.csv"
    table.write_text("a\n1\n")
    (tmp_path / "link.csv").symlink_to("table.csv")
    os.link(table, tmp_path / "hard.csv")
    monkeypatch.chdir(tmp_path)
    for output in ("table.csv", "./table.csv", "link.csv", "hard.csv", str(table)):
        for source in ("table.csv", table, "link.csv", "hard.csv"):
            with pytest.raises(ValueError, match="is the same file as the input"):
                check_output(Path(output), [source])
    check_output(Path("other.csv"), ["table.csv", "-", "none.csv"])
    check_output(None, ["table.csv"])


def test_standard_streams_are_inputs_and_outputs_too(tmp_path):
    (tmp_path / "table.csv").write_text("a\n1\n")

    def complaint(arguments, redirection):
        program = (
            f"from pathlib import Path; from rdep._utils._files import check_output; "
            f"check_output({arguments})"
        )
        result = subprocess.run(
            f'"$PYTHON" -c "$PROGRAM" {redirection}', shell=True, cwd=tmp_path, check=False,
            capture_output=True, text=True,
            env={**os.environ, "PYTHON": sys.executable, "PROGRAM": program},
        )  # fmt: skip
        return result.stderr.splitlines()[-1:]

    (message,) = complaint("Path('table.csv'), ['-']", "< table.csv")
    assert "the output table.csv is the same file as the input -" in message
    (message,) = complaint("None, ['table.csv']", ">> table.csv")
    assert "is the same file as the input table.csv" in message
    assert complaint("None, ['table.csv']", "> other.csv") == []


@pytest.mark.parametrize("check", [check_output, lambda path: write_atomically(path, "")])
def test_what_is_wrong_with_the_place(tmp_path, monkeypatch, check):
    with pytest.raises(FileNotFoundError, match="there is no folder .*none"):
        check(tmp_path / "none" / "x")
    with pytest.raises(IsADirectoryError, match="is a folder: name a file"):
        check(tmp_path)
    path = tmp_path / "x"
    path.touch()
    # Root may do everything, so permissions are taken away by hand.
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda place, bits: place != path and allowed(place, bits))
    with pytest.raises(PermissionError, match="x is write-protected"):
        check(path)
    monkeypatch.setattr(os, "access", lambda place, bits: place != tmp_path)
    with pytest.raises(PermissionError, match="no permission to create"):
        check(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["x"]
