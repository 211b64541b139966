"""Where the project's files are."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
RESULTS = ROOT / "results"
SOURCE = ROOT / "src" / "rdep"
LABORATORY = ROOT / "src" / "rdep_experiment"
