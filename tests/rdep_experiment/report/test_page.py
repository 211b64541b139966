"""The report: its files, what the page says, and how it behaves in a browser."""

import csv
import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser

import pandas as pd
import pytest
from scipy import stats

from rdep_experiment.analysis import _statistics as statistics
from rdep_experiment.analysis import _tables as tables
from rdep_experiment.analysis._one_table import fold_scores
from rdep_experiment.report._page import unresolved_failures, write_report
from rdep_experiment.report._reliability import reliability_curves, reliability_plot

from ...needs import cannot_run
from ..analysis.test_tables import fail, made_run

HOSTILE = '<script>alert("x")</script>'


class Page(HTMLParser):
    """Tags, ids, references and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.references, self.words = [], [], [], []
        self.feed(text)
        self.text = re.sub(r"\s+", " ", " ".join(self.words))

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href", "action", "data"):
                self.references.append(value)

    def handle_data(self, data):
        self.words.append(data)


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    """A report of the published means, where every fifth score is 0.02 higher."""
    mean, std = tables.published()
    mean = mean.copy()
    mean.iloc[::5, 0] += 0.02
    rows, header = made_run(mean, std)
    rows[7]["warnings"] = ["ConvergenceWarning: stopped"] * 3
    output = tmp_path_factory.mktemp("full")
    write_report(rows, {**header, "formats": ("png",)}, output)
    return output


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    mean, std = tables.published()
    rows, header = made_run(mean.iloc[:2], std)
    output = tmp_path_factory.mktemp("quick")
    write_report(rows, header, output)
    return output


def page_of(folder):
    return Page((folder / "report.html").read_text("utf-8"))


def read_csv(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_all_files_are_there(full):
    names = {path.relative_to(full).as_posix() for path in full.rglob("*") if path.is_file()}
    drawings = ("box_plot", "comparison", "critical_difference", "hasse_t_test", "hasse_wilcoxon")
    assert names == {
        *("report.html", "table.csv", "table.md", "table.tex"),
        *("comparison.csv", "statistics.csv", "times.csv"),
        *(f"figures/{name}.png" for name in (*drawings, "times")),
    }


def test_comparison_and_statistics_hold_the_numbers(full):
    comparison = read_csv(full / "comparison.csv")
    assert len(comparison) == 240
    changed = [row["dataset"] for row in comparison if float(row["difference"]) == 0.02]
    assert changed == list(tables.published()[0].index[::5])
    found = {
        (row["quantity"], row["first"], row["second"]): float(row["value"])
        for row in read_csv(full / "statistics.csv")
    }
    assert found["complete_datasets", "", ""] == 30
    assert found["student_one_sided_p", "bagging_rdep", "poly_svc"] < 0.01
    assert found["student_one_sided_p", "poly_svc", "bagging_rdep"] > 0.99
    assert found["wins", "dep", "rbf_svc"] == found["losses", "rbf_svc", "dep"]
    assert found["nemenyi_critical_difference", "", ""] == pytest.approx(1.917, abs=1e-3)


def test_the_page_sums_up(full):
    text = page_of(full).text
    assert "240 of 240 cells are complete" in text
    assert "234 equal its number to two decimals and 0 more differ by 0.01" in text
    assert "Ensemble r-DEP has the highest average, 0.82" in text
    assert "rdep reproduce --suite paper" in text
    assert "3 warnings in all" in text
    assert "missing" not in text


def test_the_page_needs_nothing_from_elsewhere(full):
    page = page_of(full)
    outside = [ref for ref in page.references if re.match(r"[a-z]+:|//", ref)]
    assert outside == []
    assert not {"link", "img", "image", "iframe", "base", "object"} & set(page.tags)
    source = (full / "report.html").read_text("utf-8")
    assert "@import" not in source
    assert not re.search(r"url\((?!#)", source)
    # What the page links to is beside it.
    files = [ref for ref in page.references if not ref.startswith("#")]
    assert files
    assert all((full / name).is_file() for name in files)


def test_ids_are_unique_and_references_have_targets(full):
    page = page_of(full)
    assert len(page.ids) == len(set(page.ids))
    targets = {ref[1:] for ref in page.references if ref.startswith("#")}
    source = (full / "report.html").read_text("utf-8")
    targets |= set(re.findall(r"url\(#([^)]+)\)", source))
    assert targets <= set(page.ids)


def test_reports_repeat_byte_for_byte(quick, tmp_path):
    mean, std = tables.published()
    rows, header = made_run(mean.iloc[:2], std)
    write_report(rows[::-1], header, tmp_path)
    for path in quick.rglob("*.*"):
        assert path.read_bytes() == (tmp_path / path.relative_to(quick)).read_bytes(), path.name


def test_two_data_sets_are_too_few_for_tests(quick):
    text = page_of(quick).text
    assert "Tests need at least 5 data sets" in text
    assert "this run has 2 such data sets" in text
    quantities = {row["quantity"] for row in read_csv(quick / "statistics.csv")}
    assert quantities == {"complete_datasets", "average_rank", "wins", "ties", "losses"}
    assert "hasse_t_test-figure_1" not in page_of(quick).ids


def own_table(**protocol):
    means = pd.DataFrame({"dep": [0.6], "rbf_svc": [0.71], "poly_svc": [0.7]}, index=["mine"])
    rows, header = made_run(means)
    header["protocol"] |= {"suite": "own table", **protocol}
    return rows, header


def test_one_table_has_no_averages_but_a_test_of_its_own(tmp_path):
    rows, header = own_table()
    write_report(rows, header, tmp_path)
    page = page_of(tmp_path)
    assert "± 0.00 " not in page.text
    assert "Average" not in page.text + (tmp_path / "table.md").read_text()
    assert "Paper" not in page.text
    assert "Tests need at least 5 data sets" not in page.text
    assert "corrected resampled t-test of Nadeau and Bengio" in page.text
    assert "0.710 ± 0.050" in page.text
    assert "folds-figure_1" in page.ids
    assert "box_plot-figure_1" not in page.ids
    found = {
        (row["quantity"], row["first"], row["second"]): float(row["value"])
        for row in read_csv(tmp_path / "statistics.csv")
    }
    scores = fold_scores(rows, header["protocol"])
    difference = (scores["rbf_svc"] - scores["dep"]).to_numpy()
    t = stats.ttest_1samp(difference, 0).statistic / (1 + 10 / 9) ** 0.5
    assert found["corrected_t_p", "rbf_svc", "dep"] == pytest.approx(2 * stats.t.sf(t, 9), rel=1e-4)
    assert not any(quantity in ("wins", "average_rank") for quantity, _, _ in found)


def test_folds_in_time_order_are_not_tested(tmp_path):
    write_report(*own_table(split="time"), tmp_path)
    assert "No test: it needs training sets of equal size" in page_of(tmp_path).text


def test_one_fifth_held_out_again_and_again_is_tested_as_five_folds_are(tmp_path):
    rows, header = own_table(split="held out", n_folds=1, repeats=10)
    for repeat, row in enumerate(sorted(rows, key=lambda row: (row["classifier"], row["fold"]))):
        row["repeat"], row["fold"] = repeat % 10, 0
    write_report(rows, header, tmp_path)
    scores = fold_scores(rows, header["protocol"])
    difference = (scores["rbf_svc"] - scores["dep"]).to_numpy()
    t = stats.ttest_1samp(difference, 0).statistic / (1 + 10 / 4) ** 0.5
    (p_value,) = [
        float(row["value"])
        for row in read_csv(tmp_path / "statistics.csv")
        if (row["quantity"], row["first"], row["second"]) == ("corrected_t_p", "rbf_svc", "dep")
    ]
    assert p_value == pytest.approx(2 * stats.t.sf(t, 9), rel=1e-4)


def test_all_metrics_of_several_data_sets_are_shown(tmp_path):
    mean, std = tables.published()
    rows, header = made_run(mean.iloc[:2, :2], std)
    header["protocol"]["metrics"] = ["balanced_accuracy", "accuracy"]
    write_report(rows, header, tmp_path)
    page = page_of(tmp_path)
    assert {"table-scores", "table-scores-accuracy"} <= set(page.ids)
    assert {row["metric"] for row in read_csv(tmp_path / "metrics.csv")} == {
        "balanced_accuracy",
        "accuracy",
    }
    assert "## accuracy" in (tmp_path / "table.md").read_text()
    del header["protocol"]["metrics"]
    write_report(rows, header, tmp_path)
    assert not (tmp_path / "metrics.csv").exists()


def test_reliability_is_drawn_where_there_are_probabilities(tmp_path):
    rows, header = own_table(classes=["good", "bad"])
    for row in rows[:10]:
        row["reliability"] = [[k, k * (k + 0.5) / 10, k // 2] for k in range(10)]
    write_report(rows, header, tmp_path)
    assert "Reliability of probabilities" in page_of(tmp_path).text
    figure = reliability_plot(reliability_curves(rows), ["good", "bad"])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["reliable", "DEP"]
    assert figure.axes[0].get_xlabel() == "Mean predicted probability of class bad"


def test_gaps_are_said_and_names_are_escaped(tmp_path):
    means = pd.DataFrame(
        {
            "dep": [0.5, 0.6, 0.7, 0.65, 0.55, 0.6],
            "rbf_svc": [0.7, 0.8, 0.9, 0.81, 0.75, 0.8],
            HOSTILE: [0.6, 0.71, 0.8, 0.72, 0.67, 0.5],
        },
        index=["Sick", HOSTILE, "50% $", "D", "E", "F"],
    )
    rows, header = made_run(means, n_folds=2)
    header["command"] = f"rdep reproduce {HOSTILE}"
    fail(rows[0], error=f"ValueError: {HOSTILE}")
    rows[8]["warnings"] = [HOSTILE]
    rows[9]["versions"] = {"rdep": HOSTILE}
    write_report(rows, header, tmp_path)
    page = page_of(tmp_path)
    assert "hasse_t_test-figure_1" in page.ids
    assert page.tags.count("script") == 1
    # As a classifier, a data set, an error, a warning, a version and in the command.
    assert page.text.count(HOSTILE) > 6
    assert "17 of 18 cells are complete" in page.text
    assert "1 fold failed" in page.text
    assert "Sick DEP 1 of 2" in page.text
    assert "means on the 5 of 6 data sets that are complete for every classifier" in page.text
    assert "The rows come from 2 different sets of versions" in page.text
    assert r"50\% \$" in (tmp_path / "table.tex").read_text("utf-8")
    # One gap more: too few for tests, and no figure of the first report is left.
    (stale := tmp_path / "figures" / "hasse_t_test.png").touch()
    fail(next(row for row in rows if row["dataset"] == "E"))
    write_report(rows, header, tmp_path)
    assert "this run has 4 such data sets" in page_of(tmp_path).text
    assert not stale.exists()


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            [("dep", "rbf_svc"), ("rbf_svc", "poly_svc")],
            "(DEP → RBF SVC → Poly SVC), but the test does not find that DEP beats Poly SVC",
        ),
        ([("dep", "rbf_svc"), ("rbf_svc", "dep")], "RBF SVC, DEP beat each other in a circle"),
    ],
)
def test_what_is_no_order_is_said(tmp_path, monkeypatch, pairs, said):
    mean, std = tables.published()
    rows, header = made_run(mean.iloc[:5][["rbf_svc", "poly_svc", "dep"]], std, n_folds=2)
    names = header["protocol"]["classifiers"]
    beats = pd.DataFrame(False, index=names, columns=names)
    for pair in pairs:
        beats.loc[pair] = True
    result = statistics.PairedTests(beats * 1.0, beats)
    monkeypatch.setattr(statistics, "wilcoxon_holm", lambda means, confidence: result)
    write_report(rows, header, tmp_path)
    assert said in page_of(tmp_path).text


def test_a_run_without_any_score(tmp_path):
    rows, header = made_run(tables.published()[0].iloc[:1, :2])
    for row in rows:
        fail(row)
    write_report(rows, header, tmp_path)
    assert (tmp_path / "table.csv").read_text() == "dataset,classifier,mean,std\n"
    text = page_of(tmp_path).text
    assert "0 of 2 cells are complete ; 20 folds failed" in text
    assert list((tmp_path / "figures").iterdir()) == []


def test_failures_made_good_are_no_failures():
    rows, _ = made_run(tables.published()[0].iloc[:1, :2], n_folds=2)
    good = dict(rows[0])
    fail(rows[0])
    fail(rows[3])
    assert unresolved_failures([*rows, good]) == [rows[3]]


FRAMES = """<body><script>
onload = () => document.querySelectorAll("iframe").forEach((frame) => {
  const page = frame.contentDocument.documentElement;
  const seen = document.createElement("pre");
  seen.id = `seen-${frame.id}`;
  seen.dataset.width = page.scrollWidth;
  seen.textContent = page.outerHTML;
  document.body.append(seen);
});
</script>
"""


@pytest.fixture(scope="module")
def browsed(full, tmp_path_factory):
    """Width and HTML of the page on a phone after its script has run, by what is asked of it.

    One page has them all in frames, because a browser takes seconds to start.
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        cannot_run(f"none of {', '.join(names)} is installed: install one")
    folder = tmp_path_factory.mktemp("browsed")
    source = (full / "report.html").read_text("utf-8")
    (folder / "report.html").write_text(source, "utf-8")
    frames = {way: f"report.html#sort=table-scores:5:{way}" for way in ("asc", "desc")}
    click = "document.querySelectorAll('#table-scores thead button')[6].click();"
    for clicks in (1, 2):
        frames[f"click-{clicks}"] = f"click-{clicks}.html"
        clicked = source.replace("</body>", f"<script>{click * clicks}</script></body>")
        (folder / f"click-{clicks}.html").write_text(clicked, "utf-8")
    page = folder / "frames.html"
    page.write_text(
        FRAMES
        + "".join(
            f'<iframe id="{name}" width="390" height="800" style="border: 0" src="{address}">'
            "</iframe>"
            for name, address in frames.items()
        ),
        "utf-8",
    )
    command = [
        browser,
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        *("--allow-file-access-from-files", f"--user-data-dir={folder / 'profile'}"),
        *("--virtual-time-budget=5000", "--dump-dom", page.as_uri()),
    ]
    done = subprocess.run(command, capture_output=True, timeout=600, check=True)
    found = re.findall(
        r'<pre id="seen-(.*?)" data-width="(\d+)">(.*?)</pre>', done.stdout.decode("utf-8"), re.S
    )
    seen = {name: (int(width), unescape(html)) for name, width, html in found}
    assert seen.keys() == frames.keys()
    return seen


def column_order(html, table):
    body = re.search(rf'<table id="{table}".*?<tbody>(.*?)</tbody>', html, re.S)[1]
    return re.findall(r'<tr><th scope="row">(.*?)</th>', body)


@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_a_link_sorts_a_column(full, browsed, direction):
    html = browsed[direction][1]
    bagging = pd.read_csv(full / "table.csv").query("classifier == 'svc_bagging'")
    expected = bagging.sort_values("mean", ascending=direction == "asc", kind="stable")
    scores = bagging.set_index("dataset")["mean"]
    order = column_order(html, "table-scores")
    assert scores[order].tolist() == expected["mean"].tolist()
    assert html.count(f'aria-sort="{direction}ending"') == 1
    # Other tables keep their order.
    assert column_order(html, "table-comparison") == bagging["dataset"].tolist()


def test_a_click_sorts_and_another_turns(full, browsed):
    dep = pd.read_csv(full / "table.csv").query("classifier == 'dep'").set_index("dataset")["mean"]
    for clicks, ascending in ((1, False), (2, True)):
        order = column_order(browsed[f"click-{clicks}"][1], "table-scores")
        assert dep[order].tolist() == sorted(dep, reverse=not ascending)


def test_the_page_does_not_scroll_sideways_on_a_phone(browsed):
    assert all(200 < width <= 390 for width, _ in browsed.values())
