# Every target sets up what it needs in .venv; nothing else on the machine is touched.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup check test test-all torture audit demo bench bench-accuracy docs browser compiler proof-tools proofs mutants fuzz package clean

setup: .venv/ready

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

.venv/bench: .venv/ready
	$(BIN)/pip install --quiet --editable '.[bench]'
	touch $@

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: setup  # under twelve minutes on two cores
	$(BIN)/pytest -n 2 --dist loadfile -m 'not long'

test-all: setup  # what make test leaves out: browser, crashes, documentation, vectors; under forty minutes
	$(BIN)/pytest -n 2 --dist loadfile -m long

torture: setup compiler  # once before a release: kills, documents, forged models, failing system calls; hours
	PYTHONPATH=tests:. $(BIN)/python -m torture

audit: .venv/audit
	$(BIN)/python scripts/audit.py build/bill-of-materials.json

.venv/audit: .venv/ready
	$(BIN)/pip install --quiet --editable '.[audit]'
	touch $@

demo: setup
	$(BIN)/littlestone demo

CLOCK ?= wall
bench: .venv/bench  # ratios against the peers, into docs/benchmarks-speed.md; under twenty minutes; CLOCK=processor on a busy machine
	CLOCK=$(CLOCK) $(BIN)/python -m benchmarks --write

bench-accuracy: .venv/bench  # error against River's forests on the first 10,000 rows, into docs/benchmarks.md
	$(BIN)/python -m benchmarks.forests --write

.venv/docs: .venv/ready
	$(BIN)/pip install --quiet --editable '.[docs]'
	touch $@

docs: .venv/docs
	$(BIN)/python docs/docstring_pages.py
	$(BIN)/sphinx-build -W --keep-going -q -b html -d build/doctrees docs build/docs
	@echo "open build/docs/index.html"

browser:  # for the test that opens a report; needs Debian and the right to install
	command -v chromium >/dev/null || (apt-get update -q && apt-get install -y -q chromium)

compiler:  # for the tests in which system calls fail; needs Debian and the right to install
	command -v cc >/dev/null || command -v gcc >/dev/null || (apt-get update -q && apt-get install -y -q gcc libc6-dev)

proof-tools:  # Coq, OCaml and js_of_ocaml; needs Debian and the right to install
	command -v coqc >/dev/null && command -v js_of_ocaml >/dev/null && ocamlfind query zarith js_of_ocaml >/dev/null 2>&1 || \
		(apt-get update -q && apt-get install -y -q --no-install-recommends coq ocaml-nox ocaml-findlib \
		libzarith-ocaml-dev js-of-ocaml libjs-of-ocaml-dev)

proofs: proof-tools  # check the proofs, extract, build littlestone-verify and the page, run the vectors; under ten minutes
	proofs/build.sh

mutants: setup
	$(BIN)/python scripts/mutants.py

package: setup
	$(BIN)/pip install --quiet hatchling
	$(BIN)/python scripts/build_packages.py dist

.venv/fuzz: .venv/ready
	$(BIN)/pip install --quiet --editable '.[fuzz]'
	touch $@

SECONDS ?= 600
fuzz: .venv/fuzz  # each target for so many seconds; what it finds stays here as crash-*
	for name in model text svmlight vw snow csv jsonl parquet arrow rounds certificate envelope; do \
		$(BIN)/python -m fuzz.$$name -max_total_time=$(SECONDS) || exit 1; done

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
