"""r-DEPs against their member SVCs: fitting and prediction."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import RDEPClassifier

from .combiners import balanced_dep
from .measure import Comparison, in_turn
from .problems import clusters, paper_names, real


def _svcs():
    return [SVC(), SVC(kernel="linear"), SVC(kernel="poly")]


def _bagging():
    return BaggingClassifier(SVC(), n_estimators=10, random_state=0)


def fitting(repeats):
    """How much an r-DEP takes beyond the fits of its members."""
    for m, turns in ((1000, 2 * repeats), (4000, repeats), (15_000, max(1, repeats // 3))):
        X, y = clusters(m)
        scaled = StandardScaler().fit_transform(X)
        members = {
            ("ensemble", "the three SVCs alone", 1.12): lambda X=scaled, y=y: [
                svc.fit(X, y) for svc in _svcs()
            ],
            ("bagging", "the ten SVCs alone", 1.25): lambda X=scaled, y=y: _bagging().fit(X, y),
        }
        for (ordering, peer, at_most), theirs in members.items():
            ours, theirs_times, _, _ = in_turn(
                lambda X=X, y=y, ordering=ordering: RDEPClassifier.paper(
                    ordering, random_state=0
                ).fit(X, y),
                theirs,
                turns,
            )
            yield Comparison(
                "fitting r-DEPs",
                f"{ordering} r-DEP fit {m} x 20",
                peer,
                ours,
                theirs_times,
                at_most=at_most,
            )


def features(repeats):
    """Orderings of the features themselves, one fit on each of the paper's data sets."""
    problems = [real(name) for name in paper_names()]
    for ordering, at_least in (("signed", 10), ("boxes", None)):
        ours, theirs, _, _ = in_turn(
            # The samples are standardised already, for both.
            lambda ordering=ordering: [
                RDEPClassifier(
                    ordering,
                    balanced_dep().set_params(weighting="distance"),
                    scale_input=False,
                    scale_ordering=False,
                ).fit(X, y)
                for X, y in problems
            ],
            lambda: [SVC().fit(X, y) for X, y in problems],
            repeats,
        )
        yield Comparison(
            "orderings without classifiers",
            f"{ordering} r-DEP fits, sum of 30 data sets",
            "scikit-learn's RBF SVC",
            ours,
            theirs,
            at_least=at_least,
        )


def prediction(repeats):
    """Labels of 10,000 samples with 30 features from members fitted on as many."""
    X, y = clusters(20_000, 30)
    half = len(X) // 2
    X, X_test, y = X[:half], X[half:], y[:half]
    voting = VotingClassifier([(svc.kernel, svc) for svc in _svcs()])
    for ordering, peer, at_least in (("ensemble", voting, 8), ("bagging", _bagging(), 20)):
        rdep = RDEPClassifier.paper(ordering, random_state=0).fit(X, y)
        scaled = rdep.input_scaler_.transform(X_test)
        peer.fit(rdep.input_scaler_.transform(X), y)
        ours, theirs, labels, _ = in_turn(
            lambda rdep=rdep: rdep.predict(X_test),
            lambda peer=peer, scaled=scaled: peer.predict(scaled),
            repeats,
        )
        slow = np.column_stack(
            [svc.decision_function(scaled) for svc in rdep.ordering_.estimators_]
        )
        expected = rdep.dep_.predict(rdep.ordering_scaler_.transform(slow))
        yield Comparison(
            "prediction",
            f"{ordering} r-DEP, 10,000 x 30",
            type(peer).__name__,
            ours,
            theirs,
            at_least=at_least,
            answers={
                "labels unlike those over scikit-learn's decision_function": int(
                    (labels != expected).sum()
                )
            },
            answers_agree=bool((labels == expected).all()),
            remark="agree: same labels as over scikit-learn's decision_function",
        )
