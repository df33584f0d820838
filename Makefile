# One target for each thing a person does. `make help` lists them.

.DEFAULT_GOAL := help
SHELL := /bin/bash

# CHROME=/path/to/chrome takes another browser than the one that is found.
CHROMIUM := $(firstword $(CHROME) $(shell command -v chromium chromium-browser google-chrome google-chrome-stable 2>/dev/null) $(wildcard /Applications/Google\ Chrome.app/Contents/MacOS/Google\ Chrome))
APT := $(shell [ "$$(id -u)" = 0 ] && command -v apt-get 2>/dev/null)

# The folders whose tests drive a browser, one after the other: they share its time.
BROWSED := docs|e2e|npm|wasm/elements|wasm/react

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile

.PHONY: build
build: ## build dist/: webmcp.wasm, wasm_exec.js, webmcp.js
	go run ./cmd/dist

.PHONY: demo
demo: ## build everything and serve http://localhost:8080/demo/
	go run ./demo

.PHONY: npm
npm: build ## build dist/npm, the npm package, and its tarball
	go run ./cmd/npm
	cd dist/npm && npm pack --silent --pack-destination ..

.PHONY: test
test: browser build ## run every test: native ones under the race detector, and a real Chromium
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./bridge/... ./hooks/... ./internal/core ./wasm
	go test -race $$(go list ./... | grep -vE '/($(BROWSED))(/|$$)')
	go test -p 1 -timeout 30m $(foreach name,$(subst |, ,$(BROWSED)),./$(name)/...)
	@command -v npm >/dev/null || echo 'NOT TESTED: what needs packages of npm (React, bundlers, types, schema libraries). Install Node.js for these tests.'

.PHONY: e2e
e2e: browser build ## run only the tests in a real Chromium, and name each
	go test -count=1 -v ./e2e/...

.PHONY: bench
bench: browser build ## measure calls against the browser's own, in one Chromium
	go test -run '^$$' -bench . -benchtime 40x ./e2e

.PHONY: fuzz
fuzz: ## look for inputs that break a rule, 30 seconds for each rule
	@grep -ro --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' . | while IFS=: read -r file target; do \
		go test -run '^$$' -fuzz "^$${target#func }$$" -fuzztime 30s "./$$(dirname "$$file")" || exit 1; \
	done

.PHONY: lint
lint: ## check the form of the code
	@test -z "$$(gofmt -l .)" || { gofmt -l . | sed 's/^/not formatted, run make fmt: /'; exit 1; }
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./bridge/... ./hooks/... ./internal/core ./wasm
	@if command -v node >/dev/null; then for f in internal/glue/*.js; do node --check "$$f" || exit 1; done; fi

.PHONY: fmt
fmt: ## format the Go code
	gofmt -w .

.PHONY: clean
clean: ## remove what was built and what failed tests have left
	rm -rf dist; find . -name artifacts -type d -prune -exec rm -rf {} +

# The tests need a Chromium or Chrome. Root on Debian can have it installed.
.PHONY: browser
browser:
ifeq ($(CHROMIUM),)
ifneq ($(APT),)
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-liberation
else
	@echo 'No Chromium or Chrome was found. Install one (on Debian or Ubuntu: sudo apt-get install chromium), or name it: make test CHROME=/path/to/chrome' >&2
	@exit 1
endif
endif
