"""The page docs/deployment.md does what it shows, and the example serves without this package."""

import csv
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from onnxruntime import InferenceSession

from rdep import DEPClassifier
from rdep._utils._files import write_atomically
from rdep.cli import main
from rdep.datasets import load_ripley
from rdep.model_files import load_model
from rdep.onnx import to_onnx
from rdep.tables._scoring import predictions

from ..cli.command import rdep_here
from ..places import ROOT
from ..real_tables import frame_of

PAGE = (ROOT / "docs" / "deployment.md").read_text("utf-8")
EXAMPLE = ROOT / "examples" / "serve_onnx.py"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, data_dir, kept_processes):
    """A folder in which the page's commands have been run, those of the shell at the end."""
    folder = tmp_path_factory.mktemp("deployment")
    frame = frame_of(data_dir, "credit-g-1")
    frame[:800].to_csv(folder / "credit.csv", index=False)
    new = frame[800:].drop(columns="class")
    new.insert(0, "number", range(len(new)))
    new.to_csv(folder / "new.csv", index=False)
    shutil.copy(EXAMPLE, folder)
    lines = "\n".join(blocks("sh")).splitlines()
    ours = [line for line in lines if line.startswith("rdep ")]
    shown = []
    for line in ours:
        done = rdep_here(*shlex.split(line)[1:], cwd=folder)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        shown.append(done.stdout)
    script = "\n".join(line for line in lines if line not in ours)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    result = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    (folder / "shown.txt").write_text("".join([*shown, result.stdout]))
    return folder


def test_the_commands_of_the_page(folder):
    shown = (folder / "shown.txt").read_text()
    assert "Ensemble r-DEP  0." in shown
    assert (folder / "credit-report" / "report.html").exists()
    assert "  duration: number, 4 to 72 in training" in shown
    with (folder / "predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == [str(k) for k in range(200)]
    reasons = [json.loads(line) for line in (folder / "reasons.jsonl").read_text().splitlines()]
    names = {reason["dilation_by"] for reason in reasons}
    assert any("=" in name for name in names)
    with (folder / "probabilities.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert all(
        float(row[f"probability_{row['prediction']}"]) >= 0.5 and len(row) == 4 for row in rows
    )
    served = json.loads(shown.splitlines()[-1].removeprefix("http://localhost:8765"))
    assert served[0]["prediction"] in ("bad", "good")


def test_the_message_of_the_page(folder, data_dir, monkeypatch, capsys):
    frame = frame_of(data_dir, "credit-g-1")[800:].drop(columns="class")
    frame.iloc[16, list(frame.columns).index("purpose")] = "yacht"
    (folder / "wrong").mkdir()
    monkeypatch.chdir(folder / "wrong")
    frame.to_csv("new.csv", index=False)
    monkeypatch.setattr(sys, "argv", ["rdep", "predict", "../credit.rdep", "new.csv"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert capsys.readouterr().err in blocks("text")


def test_the_python_of_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = {}
    for block in blocks("python"):
        exec(compile(block, "deployment.md", "exec"), page)
    session = InferenceSession(page["graph"].SerializeToString())
    label = session.run(["label"], {"X": page["X_test"]})[0]
    assert np.mean(label == page["stack"].predict(page["X_test"])) > 0.999
    names, _, score = capsys.readouterr().out.rpartition(" ")
    assert names == "['x0', 'x1']"
    assert float(score) > 0.88


@pytest.fixture(scope="module")
def address(folder):
    """The address of the example, served by a process that cannot import this package."""
    code = (
        "import sys, runpy\n"
        "sys.modules['rdep'] = sys.modules['sklearn'] = sys.modules['skl2onnx'] = None\n"
        f"sys.argv = ['serve_onnx.py', {str(folder / 'credit.onnx')!r}, '--port', '0']\n"
        f"runpy.run_path({str(EXAMPLE)!r}, run_name='__main__')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as server:
        yield server.stdout.readline().strip()
        server.terminate()


def serve_in_process(path, rows):
    """The answer of the example to rows, without HTTP."""
    example = runpy.run_path(str(EXAMPLE))
    session = InferenceSession(path)
    return example["answer"](session, example["schema_of"](session), rows)


def test_the_example_serves_probabilities(folder, data_dir):
    model = load_model(folder / "sure.rdep")
    write_atomically(folder / "sure.onnx", to_onnx(model).SerializeToString())
    frame = frame_of(data_dir, "credit-g-1")[model.schema.names][800:850].reset_index(drop=True)
    served = serve_in_process(folder / "sure.onnx", json.loads(frame.to_json(orient="records")))
    ours = model.estimator.predict_proba(frame)
    assert [row["prediction"] for row in served] == model.estimator.predict(frame).tolist()
    assert [row["probabilities"]["good"] for row in served] == pytest.approx(ours[:, 1], abs=1e-12)


def test_the_example_serves_a_model_on_a_matrix(tmp_path):
    X, X_test, y, _ = load_ripley()
    model = DEPClassifier().fit(X, y)
    write_atomically(tmp_path / "ripley.onnx", to_onnx(model).SerializeToString())
    rows = [dict(zip(["x0", "x1"], row, strict=True)) for row in X_test.tolist()]
    served = serve_in_process(tmp_path / "ripley.onnx", rows)
    assert [row["prediction"] for row in served] == model.predict(X_test).tolist()


def post(address, content):
    request = urllib.request.Request(address, data=content.encode())
    with urllib.request.urlopen(request, timeout=600) as response:
        return json.loads(response.read())


def test_the_example_serves_the_same_predictions(folder, address, data_dir):
    model = load_model(folder / "credit.rdep")
    frame = frame_of(data_dir, "credit-g-1")[model.schema.names][800:].reset_index(drop=True)
    frame.loc[3, "duration"] = None
    frame.loc[5, "purpose"] = None
    served = post(address, frame.to_json(orient="records"))
    ours = predictions(model, frame)
    assert [row["prediction"] for row in served] == ours["prediction"].tolist()
    scores = [row["scores"][0] for row in served]
    assert scores == pytest.approx(ours["score"].tolist(), abs=1e-9)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no json", "Expecting value"),
        ("[" * 100_000, "recursion"),
        ("{}", "send a JSON list of objects"),
        ({"duraton": 3}, "unknown columns in row 2: ['duraton']"),
        ({"duration": "long"}, "column 'duration' should hold numbers, but has 'long' in row 2"),
        ({"duration": [1]}, "column 'duration' should hold numbers, but has [1] in row 2"),
        ({"duration": 10**400}, "int too large to convert to float"),
        ({"purpose": "yacht"}, "'purpose' has a category that the model has not seen, 'yacht'"),
        ({"purpose": ..., "age": ...}, "columns that row 2 does not have: ['purpose', 'age']"),
    ],
)
def test_the_example_answers_mistakes(folder, address, content, message):
    """A text is sent as it is; a dictionary changes the second of two good rows."""
    if isinstance(content, dict):
        good = json.loads((folder / "row.json").read_text())[0]
        changed = {name: value for name, value in {**good, **content}.items() if value is not ...}
        content = json.dumps([good, changed])
    with pytest.raises(urllib.error.HTTPError) as refused:
        post(address, content)
    assert refused.value.code == 400
    assert message in json.loads(refused.value.read())["error"]
    refused.value.close()
