"""Small runs with classifiers that misbehave."""

from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._runner import Request
from rdep_experiment.run._sources import Source

HERE = "tests.rdep_experiment.run.misbehaving"


def request(tmp_path, table, classifiers, extra=None, **settings):
    protocol = Protocol(n_folds=2, extra=extra or {})
    source = Source("small", file=str(table), target="answer")
    return Request(tmp_path / "out", (source,), tuple(classifiers), protocol=protocol, **settings)
