"""The ARFF parser of scikit-learn (1.7 to 1.9), which is private there."""

from sklearn.externals._arff import ArffException, loads

__all__ = ["ArffException", "load_arff_text"]


def load_arff_text(text: str) -> dict:
    """Parse ARFF with the parser that ``fetch_openml`` uses; nominal values become their codes."""
    return loads(text, encode_nominal=True)
