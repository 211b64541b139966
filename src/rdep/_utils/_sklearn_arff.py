"""The private ARFF parser of scikit-learn (1.7 to 1.9)."""

from sklearn.externals._arff import ArffException, loads

__all__ = ["ArffException", "load_arff_text"]


def load_arff_text(text: str) -> dict:
    """Parse ARFF with the parser of ``fetch_openml``; nominal values become codes."""
    return loads(text, encode_nominal=True)
