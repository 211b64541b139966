"""Boxes from the command line: fit, inspect, explain."""

from sklearn.datasets import load_iris


def test_boxes_are_fitted_and_read(run, tmp_path):
    iris = load_iris(as_frame=True)
    table = iris.data.assign(kind=iris.target_names[iris.target])
    source, model = str(tmp_path / "iris.csv"), str(tmp_path / "iris.rdep")
    table.to_csv(source, index=False)
    options = ("--target", "kind", "--estimator", "competitive", "--set", "min_samples=5")
    assert run("fit", source, *options, "-o", model)[0] == 0
    assert "1 ≤ petal length (cm) ≤ 1.9" in run("inspect", model)[1]
    header, first = run("explain", model, source)[1].splitlines()[:2]
    assert header.startswith("prediction,depth,box,feature,side,runner_up,")
    assert first.startswith("setosa,")
