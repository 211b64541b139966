"""Coverage-guided fuzzing: ``python -m tests.fuzz.atheris_run TARGET [libFuzzer options]``.

``--list`` names the targets. A finding ends with a traceback and a file ``crash-…``.
"""

import sys
import tempfile
import warnings
from pathlib import Path


def main() -> None:
    if sys.argv[1:] == ["--list"]:
        from .readers import TARGETS

        print("\n".join(TARGETS))
        return
    try:
        import atheris
    except ImportError:
        sys.exit("fuzzing needs atheris: pip install atheris")
    with atheris.instrument_imports(include=["rdep"]):
        from .readers import TARGETS
    from .seeds import SEEDS

    warnings.simplefilter("ignore")
    name, *options = sys.argv[1:]

    def one_input(content: bytes) -> None:
        TARGETS[name](content)

    with tempfile.TemporaryDirectory() as corpus:
        (Path(corpus) / "seed").write_bytes(SEEDS[name])
        atheris.Setup([sys.argv[0], corpus, *options], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
