"""Model files: saving and loading fitted models without running any code."""

from ._files import load_model, read_description, save_model

__all__ = ["load_model", "read_description", "save_model"]
