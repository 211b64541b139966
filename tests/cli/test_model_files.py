"""Model files that are hostile, wrong, or pickles."""

import os
import pickle

from ..model_files.forgery import forged


def test_hostile_and_wrong_model_files(tmp_path, churn, run):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'code-has-run'}",)

    (tmp_path / "evil.rdep").write_bytes(pickle.dumps(Evil()))
    (tmp_path / "half.rdep").write_bytes((tmp_path / "churn.rdep").read_bytes()[:3000])
    for model, message in {
        "evil.rdep": "is a Python pickle, which could run any code, and is not loaded",
        "half.rdep": "is not a model file of rdep, or it is cut off",
        "churn.csv": "is not a model file of rdep",
        "none.rdep": "the model file none.rdep does not exist",
    }.items():
        for arguments in (
            ["predict", model, "churn.csv", "-o", "out.csv"],
            ["explain", model, "churn.csv", "-o", "out.csv"],
            ["inspect", model],
            ["export", model, "--onnx", "out.onnx"],
        ):
            code, out, errors = run(*arguments)
            assert code == 2
            assert out == ""
            assert message in errors
    assert not (tmp_path / "code-has-run").exists()
    assert not list(tmp_path.glob("out.*"))


def test_a_description_gives_no_orders_to_the_terminal(tmp_path, churn, run):
    content = (tmp_path / "churn.rdep").read_bytes()

    def retitle(description):
        description["schema"]["columns"][0]["name"] = "\x1b[2Jage"

    (tmp_path / "sly.rdep").write_bytes(forged(content, change_description=retitle))
    code, out, _ = run("inspect", "sly.rdep")
    assert code == 0
    assert "\x1b" not in out
    assert "�[2Jage: number" in out
    (tmp_path / "odd.rdep").write_bytes(
        forged(content, change_description=lambda about: about.update(summary={"rows": 3}))
    )
    code, _, errors = run("inspect", "odd.rdep")
    assert code == 2
    assert "the description in the model file is not valid (KeyError('class_counts'))" in errors


def test_a_pickle_on_request(tmp_path, churn, run):
    code, _, errors = run(
        "fit", "churn.csv", "-t", "left", "-o", "m.pickle", "--estimator", "paper", "--pickle"
    )
    assert code == 0
    assert "warning: a pickle runs code when it is loaded" in errors
    code, out, errors = run("predict", "m.pickle", "churn.csv", "--allow-pickle")
    assert code == 0
    assert "warning: loading the pickle m.pickle runs whatever code" in errors
    assert out == run("predict", "churn.rdep", "churn.csv")[1]
