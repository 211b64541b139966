"""The API page of the estimators, written from the registry before every build."""

from pathlib import Path

from rdep._registry import (
    CLASSIFIER,
    ENTRIES,
    IMAGE_ORDERING,
    MEMBER,
    MEMORY,
    ORDERING,
    SERIES,
    TRANSFORMER,
    is_available,
)

PAGE = "estimators.md"

_HEAD = """\
# Estimators

All estimators of the package, as {func}`rdep.all_estimators` lists them. [Which
estimator](../guide/estimators.md) compares them.
"""
_TITLES = {
    CLASSIFIER: "Classifiers",
    TRANSFORMER: "Transformers of features",
    MEMORY: "Associative memories",
    ORDERING: "Orderings, the mapping ρ of an r-DEP",
    MEMBER: "Classifiers that serve as members of orderings",
    SERIES: "Features of time series",
    IMAGE_ORDERING: "Orderings of the pixels of images",
}
_LIST = """\
```{{eval-rst}}
.. currentmodule:: rdep

.. autosummary::
   :toctree: generated
   :nosignatures:

{names}
```
"""


def estimators_page() -> str:
    """The page's text: one list for each kind of estimator."""
    kinds = list(dict.fromkeys(entry.kind for entry in ENTRIES.values()))
    return "\n".join([_HEAD, *(_section(kind) for kind in kinds)])


def write(folder: Path) -> None:
    """Write the page into this folder; leave it untouched, and Sphinx's cache valid, if equal."""
    path, text = folder / PAGE, estimators_page()
    if not path.is_file() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def _section(kind: str) -> str:
    chosen = {name: entry for name, entry in ENTRIES.items() if entry.kind == kind}
    names = [
        "   " + f"{entry.public}.{name}".removeprefix("rdep.")
        for name, entry in chosen.items()
        if is_available(entry)
    ]
    missing = [
        f"`{entry.public}.{name}` needs `pip install 'rdep[{entry.extra}]'`, which was not "
        "installed when this page was built.\n"
        for name, entry in chosen.items()
        if not is_available(entry)
    ]
    lists = [_LIST.format(names="\n".join(names))] if names else []
    title = _TITLES.get(kind, f"{kind.capitalize()}s")
    return "\n".join([f"## {title}\n", *lists, *missing])
