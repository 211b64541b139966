# The two commands of the README, and what developers need besides.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# What is compiled, where there is a compiler; CC names it (CC=false: none).
COMPILED := hatch_build.py $(shell find src -name '*.pyx')
# One thread for each test process: on few cores more of them only wait for each other.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# Tests that need PyTorch, which has an environment of its own.
ON_TORCH := tests/networks tests/docs/test_network_guide.py src/rdep/networks

# The lock's hashes are those of one platform's files; elsewhere its versions hold.
HERE := $(shell $(PYTHON) -c 'import platform, sys; print("%s %s, Python %d.%d." % (platform.system(), platform.machine(), *sys.version_info[:2]))')
LOCKED := $(findstring $(HERE),$(shell head -n 1 requirements.lock))

.PHONY: demo test quick test-torch slow fuzz bench lint types audit lock check docs picture format coverage sdist-test dist matrix sanitize clean

demo: $(READY)  ## the worked examples beside the paper, and its comparison on embedded data
	$(BIN)/python examples/worked_examples.py
	$(BIN)/rdep reproduce --suite quick --jobs 2 --output build/quick

test: $(READY)  ## all tests but the slow ones
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto --dist loadfile

quick: $(READY)  ## the tests nearest to a change, within a minute
	$(ONE_THREAD) $(BIN)/python -m tools.quick

test-torch: $(VENV)-torch/.ready  ## the tests of the networks on PyTorch
	$(ONE_THREAD) $(VENV)-torch/bin/python -m pytest -n 2 $(ON_TORCH)

slow: $(READY)  ## the tests that take minutes
	$(ONE_THREAD) $(BIN)/python -m pytest -m slow tests

coverage: $(READY) $(VENV)-torch/.ready  ## lines and branches that the tests run, by room
	mkdir -p build
	$(ONE_THREAD) $(VENV)-torch/bin/python -m pytest -n 2 $(ON_TORCH) --cov --cov-report=
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto --dist loadfile --cov --cov-append --cov-report=json:build/coverage.json tests src
	$(BIN)/python -m tools.coverage_by_room

sdist-test: $(READY)  ## the source distribution, unpacked: its core tests run
	rm -rf build/sdist
	$(BIN)/python -m hatchling build -t sdist -d build/sdist
	tar -xzf build/sdist/*.tar.gz -C build/sdist --strip-components=1
	cd build/sdist && $(ONE_THREAD) PYTHONPATH=$$PWD/src $(abspath $(BIN))/python -m pytest -n auto --dist loadfile -m "core and not slow" -p no:cacheprovider

dist: $(READY)  ## source distribution, a wheel made from it and a pure one, looked over
	rm -rf dist
	$(BIN)/python -m build --no-isolation
	RDEP_BUILD=pure $(BIN)/python -m build --no-isolation --wheel
	$(BIN)/twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

matrix: $(READY)  ## the tests with the oldest, a middle and the newest of all versions; MATRIX="oldest --core" for some
	$(BIN)/python -m tools.matrix $(MATRIX)

fuzz: $(VENV)-fuzz/.ready  ## strangers' bytes to every reader, a minute each
	$(ONE_THREAD) $(VENV)-fuzz/bin/python -m tests.fuzz.atheris_run all -max_total_time=60 -rss_limit_mb=2048

bench: $(VENV)-bench/.ready  ## every measured ratio, into results/bench; takes most of an hour
	$(ONE_THREAD) $(VENV)-bench/bin/python -m benchmarks

sanitize: $(READY)  ## the compiled code under address and undefined-behaviour sanitizers
	rm -rf build/sanitized && mkdir -p build/sanitized && cp -r src/rdep build/sanitized/
	rm -f build/sanitized/rdep/*/*.so
	CFLAGS="-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined" \
		$(BIN)/cythonize -i build/sanitized/rdep/*/_compiled.pyx
	$(ONE_THREAD) PYTHONPATH=build/sanitized PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
		LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		$(BIN)/python -m pytest -p no:cacheprovider tests/training tests/perceptrons tests/images/test_compiled.py

lint: $(READY)  ## style of the code, and the workflows' rights and pins; needs no network
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/zizmor --offline --quiet .github

types: $(READY)
	$(BIN)/mypy

audit: $(READY)  ## dependencies: lock, licences, imports; needs no network
	$(BIN)/python -m tools.audit

lock: $(READY)  ## write requirements.lock again; versions stay unless UPGRADE=--upgrade
	$(BIN)/python -m tools.lock $(UPGRADE)

check: test lint types audit docs  ## what CI runs

docs: $(READY)  ## the documentation in build/docs: its examples run, its links resolve (make test runs its snippets)
	$(ONE_THREAD) $(BIN)/python -m sphinx -W --keep-going -b html docs build/docs
	$(BIN)/python docs/check_links.py build/docs

picture: $(READY)  ## the picture of the rooms in CONTRIBUTING.md
	$(BIN)/python -m tools.room_picture
	$(BIN)/python -m tools.explorer_picture

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): $(VENV)/.packages $(COMPILED)
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	$(BIN)/python -m tools.compiled
	touch $@

# The lock has all that is needed. Left to look for it, pip takes the newest of what is asked for with
# an extra, coverage[toml] for one, and then misses its hash.
$(VENV)/.packages: requirements.lock
	$(PYTHON) -m venv $(VENV)
ifneq ($(LOCKED),)
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip check
else
	sed 's/ --hash.*//' requirements.lock > $(VENV)/versions.txt
	RDEP_BUILD=pure $(BIN)/python -m pip install --quiet -c $(VENV)/versions.txt editables -e '.[dev,docs]'
endif
	touch $@

# What the lock does not have stays out of the development environment, which is audited.
$(VENV)-%/.ready: requirements.lock
	$(PYTHON) -m venv $(VENV)-$*
	sed 's/ --hash.*//' requirements.lock > $(VENV)-$*/versions.txt
	$(VENV)-$*/bin/python -m pip install --quiet -c $(VENV)-$*/versions.txt -e '.[dev,$*]'
	touch $@

# This version of PyTorch is a file for the processor alone; a range would fetch one for graphics cards.
$(VENV)-torch/.ready: requirements.lock
	$(PYTHON) -m venv $(VENV)-torch
	sed 's/ --hash.*//' requirements.lock > $(VENV)-torch/versions.txt
	$(VENV)-torch/bin/python -m pip install --quiet torch==2.13.0
	$(VENV)-torch/bin/python -m pip install --quiet -c $(VENV)-torch/versions.txt -e '.[cli,onnx,torch]' hypothesis onnxscript pytest pytest-cov pytest-xdist
	touch $@

clean:
	rm -rf $(VENV) $(VENV)-* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf docs/auto_examples docs/api/generated docs/api/backreferences docs/drawn docs/guide/drawn
