"""The page of rdep.explorer with unusual models, tables and sizes."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from rdep import BoxScoreClassifier, CompetitiveClassifier, RDEPClassifier
from rdep.explorer import to_html
from rdep.explorer._page import bundle

from .browser import driven

OPENS = """
  const { page, differences } = explorer;
  return { n: page.n, differences, lead: document.querySelector(".lead").textContent,
    sections: [...document.querySelectorAll("h2")].map((each) => each.textContent),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    widest: [...document.querySelectorAll("main *")].filter((each) => !each.closest(".wide")
      && each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .slice(0, 5).map((each) => each.outerHTML.slice(0, 150)) };
"""


def test_unusual_models_and_tables_open_on_a_phone(tmp_path):
    random = np.random.RandomState(0)
    X, y = make_classification(200, 1000, n_informative=8, random_state=0)
    score = BoxScoreClassifier(6).fit(X, y)
    boxes = RDEPClassifier("boxes").fit(X[:, :300], y)
    few = X[:, :3]
    small = RDEPClassifier("signed").fit(few, y)
    constant = np.column_stack([X[:, :2], np.full(len(X), 7.0)])
    large = random.normal(size=(3000, 2))
    sample = CompetitiveClassifier(max_boxes=3).fit(few[:, :2], y)
    long = pd.DataFrame(few, columns=["a" * 300, "<i>b</i>", "c c" * 40])
    pages = {
        "wide": to_html(score, X, y),
        "wide-boxes": to_html(boxes, X[:, :300], y),
        "one-class": to_html(small, few[y == 0], y[y == 0]),
        "one-row": to_html(small, few[:1], y[:1]),
        "no-classes": to_html(small, few),
        "unknown-classes": to_html(small, few, [None, float("nan"), *y[2:]]),
        "constant": to_html(RDEPClassifier("signed").fit(constant, y), constant, y),
        "one-column": to_html(RDEPClassifier("signed").fit(few[:, :1], y), few[:, :1], y),
        "sampled": to_html(sample, large, max_rows=1000),
        "long": to_html(RDEPClassifier("signed").fit(long, y), long, y),
    }
    seen = driven(pages, OPENS, tmp_path, width=400)
    for name, found in seen.items():
        assert found["differences"] == 0
        assert found["wide"] <= 0, (name, found["widest"])
        assert "One row" in found["sections"], name
    assert seen["sampled"]["n"] == 1000
    assert "a random sample of 1,000 of 3,000 rows" in seen["sampled"]["lead"]
    assert "it shows decisions only" in seen["no-classes"]["lead"]
    assert "Threshold and costs" not in seen["no-classes"]["sections"]
    assert "2 have no class" in seen["unknown-classes"]["lead"]
    assert "Two columns" not in seen["one-column"]["sections"]


def test_bad_input_is_refused():
    X, y = make_classification(50, 3, n_redundant=0, random_state=0)
    model = BoxScoreClassifier(4, cv=None).fit(X, y)
    with pytest.raises(ValueError, match="y has the class 'other' in row 2"):
        to_html(model, X, [0, "other", *y[2:]])
    with pytest.raises(ValueError, match="y has 3 classes, X has 50 rows"):
        to_html(model, X, [0, 1, 0])
    with pytest.raises(ValueError, match="importance names columns that the model does not have"):
        to_html(model, X, y, importance={"x9": 1.0})
    with pytest.raises(ValueError, match="columns"):
        to_html(model, X[:, :2], y)


def test_the_file_is_small_and_closed():
    X, y = make_classification(30, 3, n_redundant=0, random_state=0)
    page = to_html(BoxScoreClassifier(4, cv=None).fit(X, y), X, y, title='<b>"x"</b> & y')
    assert len(page.encode("utf-8")) < 400_000
    assert "<title>&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; y</title>" in page
    assert page.count("</script>") == 2
    assert "default-src 'none'" in page
    script = bundle()
    assert "</script" not in script
    for source in ("innerHTML", "eval(", "fetch(", "XMLHttpRequest", "import(", "WebSocket"):
        assert source not in script
    # The only address is the name of the format of vector graphics.
    assert page.replace("http://www.w3.org/2000/svg", "").count("://") == 0
    payload = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert payload["title"] == '<b>"x"</b> & y'


SPEED = """
  const { page, setNumber } = explorer;
  const { features } = page;
  const clock = () => window.performance.now();
  const least = (work) => {
    let best = Infinity;
    for (let k = 0; k < 300; k++) {
      const before = clock();
      work(k);
      best = Math.min(best, clock() - before);
    }
    return best;
  };
  const sums = new window.Float64Array(page.n);
  const pass = least(() => {
    sums.fill(0);
    for (const x of features) for (let i = 0; i < x.length; i++) sums[i] += x[i];
  });
  const { boxes } = page.form.parts[0];
  const side = boxes[0][0].findIndex((bound) => bound !== null) >= 0 ? 0 : 1;
  const j = boxes[0][side].findIndex((bound) => bound !== null);
  const start = boxes[0][side][j];
  const edit = least((k) => {
    setNumber(0, "boxes", [0, side, j], start + 0.0001 * (k + 1));
  });
  return { pass, edit, n: page.n, count: sums[0] !== null };
"""


@pytest.mark.slow
def test_an_edit_takes_at_most_five_passes_over_the_data(tmp_path):
    X, y = make_classification(100_000, 10, n_informative=8, n_redundant=0, random_state=0)
    model = BoxScoreClassifier(16, max_faces=4, cv=None).fit(X[:5000], y[:5000])
    assert model.n_conditions_ == 16
    page = to_html(model, X, y)
    (seen,) = driven({"large": page}, SPEED, tmp_path, milliseconds=120_000).values()
    print(f"one pass {seen['pass']:.2f} ms, an edit {seen['edit']:.2f} ms")
    assert seen["n"] == 100_000
    assert seen["edit"] <= 5 * seen["pass"]
