"""The code of a page draws its pictures."""

import importlib.util

import pytest

from .pages import DOCS


@pytest.fixture(scope="module")
def drawn():
    spec = importlib.util.spec_from_file_location("drawn", DOCS / "drawn.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGE = """\
```pycon
>>> import matplotlib.pyplot as plt
>>> figure, ax = plt.subplots()
>>> figure.savefig("one.png")
```

![One](drawn/one.png)

```sh
ls
```
"""


def test_a_page_draws_its_pictures(drawn, tmp_path):
    assert drawn.pictures(PAGE) == ["one.png"]
    drawn.draw(PAGE, tmp_path / "drawn")
    assert (tmp_path / "drawn" / "one.png").is_file()


def test_a_picture_that_no_code_draws_is_an_error(drawn, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"two\.png"):
        drawn.draw(PAGE + "\n![Two](drawn/two.png)\n", tmp_path / "drawn")
