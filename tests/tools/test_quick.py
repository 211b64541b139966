"""The tests nearest to a change: which they are, and that they end in time."""

import subprocess

import pytest

from tools import quick
from tools.quick import RULES, SMOKE, Budget, nearest_tests, selection


@pytest.mark.parametrize(
    ("file", "nearest"),
    [
        ("src/rdep/training/_ccp.py", ["tests/training/test_ccp.py", "src/rdep/training/_ccp.py"]),
        (
            "src/rdep/training/majoriser/_descent.py",
            [
                "tests/training/majoriser/test_descent.py",
                "src/rdep/training/majoriser/_descent.py",
            ],
        ),
        ("tests/training/test_ccp.py", ["tests/training/test_ccp.py"]),
        ("tests/training/conftest.py", ["tests/training"]),
        ("tools/quick.py", ["tests/tools/test_quick.py"]),
        ("benchmarks/starts.py", ["tests/scenarios/test_benchmarks.py"]),
        ("README.md", ["tests/scenarios/test_readme.py"]),
        (
            "docs/guide/parameters.md",
            ["tests/docs/test_pages.py::test_snippets[guide/parameters.md]"],
        ),
        ("docs/tutorial.md", ["tests/docs/test_quickstart.py"]),
        ("docs/guide/networks.md", ["tests/docs/test_network_guide.py"]),
        ("LICENSE", []),
    ],
)
def test_a_file_has_its_tests(file, nearest):
    assert nearest_tests(file) == nearest


def test_what_many_modules_share_is_tested_by_more_than_its_own_tests():
    of_base = nearest_tests("src/rdep/_base/_validation.py")
    assert of_base[:2] == ["tests/base/test_validation.py", "src/rdep/_base/_validation.py"]
    assert {"tests/base", *SMOKE} <= set(of_base)
    assert {"tests/training", *SMOKE} <= set(nearest_tests("src/rdep/training/__init__.py"))


def test_a_module_without_tests_of_its_name_is_tested_by_its_room():
    assert "tests/training" in nearest_tests("src/rdep/training/_nobody_tests_me.py")
    assert "tests/training" in nearest_tests("src/rdep/training/_compiled.pyx")


def test_other_packages_have_a_folder_of_their_name():
    assert nearest_tests("src/another/run/_store.py")[0] == "tests/another/run/test_store.py"


def test_each_is_run_once_and_the_rules_always():
    twice = ["src/rdep/training/_ccp.py", "tests/training/test_ccp.py"]
    assert selection(twice) == [
        "tests/training/test_ccp.py", "src/rdep/training/_ccp.py", *RULES
    ]  # fmt: skip


@pytest.mark.parametrize("files", [[], ["LICENSE"], ["tests/training/test_gone.py"]])
def test_without_tests_nearby_a_fixed_few_are_run(files):
    assert selection(files) == list(SMOKE)


def test_every_fixed_test_exists():
    assert all((quick.ROOT / test).exists() for test in SMOKE)


def git(folder, *arguments):
    names = ("-c", "user.name=a", "-c", "user.email=a@b")
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, capture_output=True)


def test_changes_are_those_since_the_last_commit_or_the_branch(tmp_path, monkeypatch):
    origin, clone = tmp_path / "origin", tmp_path / "clone"
    origin.mkdir()
    git(origin, "init", "-b", "main")
    (origin / "a.py").write_text("1")
    git(origin, "add", ".")
    git(origin, "commit", "-m", "one")
    git(tmp_path, "clone", str(origin), str(clone))
    monkeypatch.setattr(quick, "ROOT", clone)
    assert quick.changed_files() == []
    (clone / "a.py").write_text("2")
    (clone / "b.py").write_text("new")
    assert quick.changed_files() == ["a.py", "b.py"]
    git(clone, "add", ".")
    git(clone, "commit", "-m", "two")
    assert quick.changed_files() == ["a.py", "b.py"]


def test_the_run_ends_when_the_time_is_over():
    class Session:
        shouldstop = False

    budget, session = Budget(seconds=1000.0), Session()
    budget.pytest_sessionstart(session)
    budget.pytest_runtest_logfinish()
    assert not session.shouldstop
    budget.end = 0.0
    budget.pytest_runtest_logfinish()
    assert "make test" in session.shouldstop


def test_a_run_tells_whether_a_test_failed(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_1():\n    pass\n\ndef test_2():\n    assert 0\n")
    program = (
        "import sys; from tools.quick import run\n"
        "print(*(run(sys.argv[1:], seconds) for seconds in (-1.0, 60.0)))"
    )
    done = subprocess.run(
        [quick.sys.executable, "-c", program, str(tmp_path)],
        cwd=quick.ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    # The first ends before the test that fails.
    assert done.stdout.splitlines()[-1] == "0 1"


@pytest.mark.parametrize("code", [0, 1])
def test_its_exit_code_is_that_of_the_run(code, monkeypatch, capsys):
    monkeypatch.setattr(quick, "changed_files", lambda: ["src/rdep/lattice/_operators.py"])
    monkeypatch.setattr(
        quick, "run", lambda tests: code if "tests/lattice/test_operators.py" in tests else 9
    )
    assert quick.main() == code
    assert "tests/lattice/test_operators.py" in capsys.readouterr().out
