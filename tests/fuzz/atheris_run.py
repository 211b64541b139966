"""Coverage-guided fuzzing: ``python -m tests.fuzz.atheris_run TARGET [libFuzzer options]``.

``all`` runs every target, each in its own process, and sums up; ``--list`` names the targets. A
finding ends with a traceback and a file ``crash-…`` in build/fuzz; the targets after it still run.
"""

import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

FINDINGS = Path("build/fuzz")


def main() -> None:
    name, *options = sys.argv[1:]
    if name == "--list":
        from .readers import TARGETS

        print("\n".join(TARGETS))
    elif name == "all":
        from .readers import TARGETS

        sys.exit(run_all(list(TARGETS), options))
    else:
        run_one(name, options)


def run_all(targets: list[str], options: list[str]) -> int:
    """Run every target, print what came of each, and return how many have findings."""
    outcomes = {target: _in_own_process(target, options) for target in targets}
    for target, (status, executed) in outcomes.items():
        print(f"{target}: {executed} executions, {'FINDING' if status else 'no finding'}")
    return sum(status != 0 for status, _ in outcomes.values())


def _in_own_process(target: str, options: list[str]) -> tuple[int, int]:
    """Exit status and number of executions, as libFuzzer counts them."""
    command = [sys.executable, "-m", "tests.fuzz.atheris_run", target, *options]
    executed = 0
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        for line in process.stderr or ():
            print(line, end="", file=sys.stderr, flush=True)
            if count := re.match(r"#(\d+)\s", line):
                executed = max(executed, int(count[1]))
    return process.returncode, executed


def run_one(name: str, options: list[str]) -> None:
    try:
        import atheris
    except ImportError:
        sys.exit("fuzzing needs atheris: pip install atheris")
    with atheris.instrument_imports(include=["rdep"]):
        from .readers import TARGETS
    from .seeds import SEEDS

    warnings.simplefilter("ignore")
    FINDINGS.mkdir(parents=True, exist_ok=True)

    def one_input(content: bytes) -> None:
        TARGETS[name](content)

    with tempfile.TemporaryDirectory() as corpus:
        (Path(corpus) / "seed").write_bytes(SEEDS[name])
        options = [f"-artifact_prefix={FINDINGS}/", *options]
        atheris.Setup([sys.argv[0], corpus, *options], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
