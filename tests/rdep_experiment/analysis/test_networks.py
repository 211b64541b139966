"""The networks suite beside the published means."""

from rdep_experiment._suite import find_suite
from rdep_experiment.analysis._networks import beside_published, published_networks
from rdep_experiment.models._names import NETWORKS


def row(score, dataset="chess", classifier="mlp", status="ok"):
    scores = {"balanced_accuracy": score} if status == "ok" else {}
    return {"dataset": dataset, "classifier": classifier, "status": status, "scores": scores}


def test_means_beside_the_published_ones():
    rows = [row(0.9), row(1.0), row(0.5, status="failed"), row(0.8, classifier="rbf_svc")]
    text = beside_published(rows)
    (line,) = [line for line in text.splitlines() if line.startswith("| chess")]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells == ["chess", "– [0.879]", "– [0.687]", "0.950 (2) [0.990]", "0.800 (1)"]


def test_what_is_published_is_what_the_suite_computes():
    table = published_networks()
    assert sorted(table.index) == sorted(find_suite("networks").data.names)
    assert set(table.columns) == set(NETWORKS) - {"dense_network"}
    assert ((table > 0.5) & (table <= 1)).all(axis=None)
