# What people type. `make` alone lists it.

PAGE := web/dist/index.html
# Whatever the page is built from.
ELSEWHERE := -name node_modules -o -name dist -o -name e2e -o -name tests -o -name test-results
PAGE_SOURCES := $(shell find web texts \( $(ELSEWHERE) \) -prune -o -type f -print 2>/dev/null)
# Further words for the hall: make play ARGS="--listen 0.0.0.0:8080"
ARGS ?=

.PHONY: help play cluster check test deep bench fmt setup wheel dist docs

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: ## build the hall, start it and open it in the browser
	@scripts/play.sh $(ARGS)

cluster: ## a hall of three nodes on this machine, with PostgreSQL, NATS and HAProxy
	@scripts/setup.sh play
	@$(MAKE) -s $(PAGE)
	@scripts/cluster.sh $(ARGS)

check: ## the quick check of what changed: format, lints, types, unit tests
	@scripts/check.sh

test: ## everything continuous integration checks
	@scripts/test.sh

deep: ## the tests that take long: deep counts, soaks, fuzzing
	@scripts/deep.sh

bench: ## measure
	@scripts/bench.sh

wheel: ## build the package for Python: target/wheels
	@scripts/wheel.sh

dist: ## build what is handed out: target/dist-out
	@scripts/dist.sh

docs: ## build the site of the documentation: target/site
	@scripts/docs.sh

fmt: ## format Rust and the page
	@cargo fmt --all
	@rustfmt --edition 2024 fuzz/fuzz_targets/*.rs
	@if [ -f web/package.json ]; then npm --prefix web run --if-present fmt; fi

setup: ## install what playing and testing need
	@scripts/setup.sh test

$(PAGE): $(PAGE_SOURCES)
	@npm --prefix web run build
	@touch $@
