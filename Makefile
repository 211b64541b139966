# The two commands of the README, and what developers need besides.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# One thread for each test process: on few cores more of them only wait for each other.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

.PHONY: demo test slow bench lint types check docs format clean

demo: $(READY)  ## the worked examples beside the paper, and its comparison on embedded data
	$(BIN)/python examples/worked_examples.py
	$(BIN)/rdep reproduce --suite quick --jobs 2 --output build/quick

test: $(READY)  ## all tests but the slow ones
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto

slow: $(READY)  ## the tests that take minutes
	$(ONE_THREAD) $(BIN)/python -m pytest -m slow tests

bench: $(READY)  ## every measured ratio, into results/bench; takes most of an hour
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[bench]'
	$(ONE_THREAD) $(BIN)/python -m benchmarks

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

check: test lint types docs  ## what CI runs

docs: $(READY)  ## the documentation in build/docs: its snippets run, its examples run, its links resolve
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev,docs]'
	$(ONE_THREAD) $(BIN)/python -m pytest tests/docs
	$(ONE_THREAD) $(BIN)/python -m sphinx -W --keep-going -b html docs build/docs
	$(BIN)/python docs/check_links.py build/docs

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf docs/auto_examples docs/api/generated docs/api/backreferences
