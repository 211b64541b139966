"""The paper's evidence, computed again."""
