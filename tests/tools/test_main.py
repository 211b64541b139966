"""Every tool is entered as `make` enters it; what it would install or fetch is put in its place."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.places import ROOT
from tools import audit, compiled, lock, matrix

HERE = Path(__file__).parent
HASH = "0" * 64


def test_main_of_every_tool_is_entered_here():
    tests = "\n".join(path.read_text("utf-8") for path in HERE.glob("test_*.py"))
    tools = {path.stem for path in (ROOT / "tools").glob("*.py")} - {"__init__"}
    entered = set(re.findall(r"\b(\w+)\.main\(", tests))
    entered |= set(re.findall(r"^from tools\.(\w+) import .*\bmain\b", tests, re.MULTILINE))
    assert tools <= entered, f"no test calls main of {tools - entered}"


@pytest.mark.parametrize(
    ("found", "status", "said"), [([], 0, "no problems found"), (["a", "b"], 1, "a\nb")]
)
def test_the_audit_fails_if_it_finds_anything(found, status, said, monkeypatch, capsys):
    monkeypatch.setattr(audit, "problems", lambda: found)
    assert audit.main() == status
    assert said in capsys.readouterr().out


def test_the_form_of_this_installation_is_one_of_two(capsys):
    compiled.main([])
    said = {line.split(": ")[1] for line in capsys.readouterr().out.splitlines()}
    (form,) = {"compiled" if text == "compiled" else "pure" for text in said}
    (other,) = {"compiled", "pure"} - {form}
    compiled.main([form])
    with pytest.raises(SystemExit, match=f"should be {other}"):
        compiled.main([other])


@pytest.mark.parametrize("options", [[], ["--upgrade"]])
def test_a_lock_keeps_its_versions_unless_told(options, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lock, "LOCK", tmp_path / "requirements.lock")
    lock.LOCK.write_text(f"# of before\nnumpy==1.0 --hash=sha256:{HASH}\n")
    asked = []

    def pip(command, check):
        constraints = Path(command[command.index("--constraint") + 1]).read_text()
        asked.append(constraints)
        archive = {"archive_info": {"hashes": {"sha256": HASH}}, "url": "numpy.whl"}
        item = {"metadata": {"name": "numpy", "version": "2.0"}, "download_info": archive}
        report = Path(command[command.index("--report") + 1])
        report.write_text(lock.json.dumps({"install": [item]}))

    monkeypatch.setattr(lock.subprocess, "run", pip)
    lock.main(options)
    assert asked == ["" if options else "numpy==1.0"]
    assert f"numpy==2.0 --hash=sha256:{HASH}\n" in lock.LOCK.read_text()
    assert "1 packages" in capsys.readouterr().out


@pytest.fixture
def commands(tmp_path, monkeypatch):
    """What the matrix would run; every command succeeds but those of Python 3.12."""
    run = []

    def succeed(command, **_):
        run.append([str(part) for part in command])
        return SimpleNamespace(returncode=int(".venv-middle" in str(command[0])))

    monkeypatch.setattr(matrix, "ROOT", tmp_path)
    monkeypatch.setattr(matrix, "interpreter", lambda version: f"python{version}")
    monkeypatch.setattr(matrix.subprocess, "run", succeed)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RDEP_BUILD"):
        monkeypatch.setenv(variable, "")
    for name in matrix.ENVIRONMENTS:
        (tmp_path / f".venv-{name}").mkdir()
    return run


def test_the_matrix_installs_looks_and_tests(commands):
    with pytest.raises(SystemExit) as end:
        matrix.main(["oldest", "--core", "--form", "pure"])
    assert not end.value.code
    make, install, _, form, tests = commands
    assert make[:3] == ["python3.11", "-m", "venv"]
    assert install[-1].endswith("[test]")
    assert form[-2:] == ["tools.compiled", "pure"]
    assert "core and not slow" in tests


def test_the_matrix_goes_on_after_a_failure_and_names_it(commands):
    with pytest.raises(SystemExit, match="failed: middle"):
        matrix.main([])
    assert any(".venv-newest" in command[0] for command in commands)


def test_the_matrix_knows_its_environments(commands):
    with pytest.raises(SystemExit):
        matrix.main(["ancient"])
    assert commands == []
