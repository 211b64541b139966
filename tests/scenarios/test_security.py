"""No source of the package runs, or unpickles, what a user's file contains."""

import ast

import pytest

from ..places import LABORATORY, SOURCE

SOURCES = sorted([*SOURCE.rglob("*.py"), *LABORATORY.rglob("*.py")])
# Each exception: a file, the call, and why it is none. A pickle that a user asks for by name.
ALLOWED = {("rdep/model_files/_files.py", "pickle.loads")}
CALLS = {
    "eval", "exec", "compile", "__import__", "os.system", "pickle.load", "pickle.loads",
    "cloudpickle.load", "cloudpickle.loads", "joblib.load", "yaml.load", "yaml.unsafe_load",
    "marshal.load", "marshal.loads", "shelve.open", "pandas.read_pickle", "pd.read_pickle",
    "torch.load",
}  # fmt: skip


def dangerous_calls(source: str) -> list[str]:
    """Calls by which data could run code, by the names they are written with."""
    found = []
    renamed = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            renamed |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Import):
            renamed |= {a.asname: a.name for a in node.names if a.asname}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        first, dot, rest = name.partition(".")
        name = renamed.get(first, first) + dot + rest
        pickles = any(
            keyword.arg == "allow_pickle" and not is_false(keyword.value)
            for keyword in node.keywords
        )
        shell = any(k.arg == "shell" and not is_false(k.value) for k in node.keywords)
        numpy_load = name in ("np.load", "numpy.load") and pickles
        if name in CALLS or numpy_load or (name.startswith("subprocess.") and shell):
            found.append(name)
    return found


def is_false(node) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def test_no_source_runs_data():
    calls = {
        (path.relative_to(SOURCE.parent).as_posix(), name)
        for path in SOURCES
        for name in dangerous_calls(path.read_text("utf-8"))
    }
    assert calls == ALLOWED


@pytest.mark.parametrize(
    "source",
    [
        "eval(text)",
        "import pickle\npickle.load(file)",
        "from pickle import loads\nloads(content)",
        "from joblib import load as read\nread(path)",
        "import numpy as np\nnp.load(path, allow_pickle=True)",
        "import yaml\nyaml.load(text, Loader=yaml.Loader)",
        "import subprocess as s\ns.run(text, shell=True)",
    ],
)
def test_the_check_finds_what_it_is_for(source):
    assert dangerous_calls(source)


def test_the_check_lets_pass_what_is_harmless():
    source = "import numpy as np\nnp.load(path)\nmodel.eval()\nimport yaml\nyaml.safe_load(text)"
    assert not dangerous_calls(source)
