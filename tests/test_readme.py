"""The README's Python runs as it stands."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_the_example_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    score, *tables = capsys.readouterr().out.splitlines()
    assert float(score) > 0.94
    assert "dilation_by" in tables[0]
