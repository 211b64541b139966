"""Draw the picture of the guide to ``rdep explore``: ``python -m tools.explorer_picture``.

It is a screenshot of a page, made by Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "explorer.png"
SIZE = 1160, 1000


def page() -> str:
    """The page of the picture: two boxes on a few features of breast tumours."""
    from sklearn.datasets import load_breast_cancer

    from rdep import DEPClassifier, RDEPClassifier
    from rdep.explorer import to_html

    data = load_breast_cancer(as_frame=True)
    X = data.data[["worst area", "worst smoothness", "worst texture", "mean concave points"]]
    y = data.target_names[data.target]
    model = RDEPClassifier("signed", DEPClassifier(random_state=0)).fit(X, y)
    return to_html(model, X, y, title="Breast tumours, by two boxes")


def main(path: Path = PICTURE) -> None:
    """Write the screenshot of the page."""
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        raise SystemExit(f"none of {', '.join(names)} is installed: install one")
    with TemporaryDirectory() as folder:
        source = Path(folder, "page.html")
        source.write_text(page(), "utf-8")
        subprocess.run(
            [
                browser,
                *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *("--disable-background-networking", "--disable-component-update"),
                *(f"--user-data-dir={folder}/profile", f"--window-size={SIZE[0]},{SIZE[1]}"),
                *("--virtual-time-budget=5000", f"--screenshot={path}", source.as_uri()),
            ],
            check=True,
            capture_output=True,
        )


if __name__ == "__main__":
    main()
