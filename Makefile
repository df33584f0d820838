# One target for each thing a person does. `make help` lists them.

.DEFAULT_GOAL := help
SHELL := /bin/bash

# CHROME=/path/to/chrome takes another browser than the one that is found.
CHROMIUM := $(firstword $(CHROME) $(shell command -v chromium chromium-browser google-chrome google-chrome-stable 2>/dev/null) $(wildcard /Applications/Google\ Chrome.app/Contents/MacOS/Google\ Chrome))
APT := $(shell [ "$$(id -u)" = 0 ] && command -v apt-get 2>/dev/null)

# The folders whose tests drive a browser, two at a time: more of them would only take each other's time.
BROWSED := docs|driver|e2e|npm|wasm/elements|wasm/forms|wasm/hooks|wasm/react|webmcptest

# Modules of their own, as strangers write them.
EXAMPLES := $(patsubst %/go.mod,%,$(wildcard examples/*/go.mod))

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
test: lint browser build ## run every test: lint, native ones under the race detector, and a real Chromium
	go test -vet=off -race $$(go list ./... | grep -vE '/($(BROWSED))(/|$$)')
	go test -vet=off -p 2 -timeout 30m $(foreach name,$(subst |, ,$(BROWSED)),./$(name)/...)
	for dir in $(EXAMPLES); do (cd $$dir && go test -vet=off ./...) || exit 1; done
	@command -v npm >/dev/null || echo 'NOT TESTED: what needs packages of npm (React, bundlers, types, schema libraries). Install Node.js for these tests.'

.PHONY: e2e
e2e: browser build ## run only the tests in a real Chromium, and name each
	go test -count=1 -v ./e2e/...

.PHONY: bench
bench: browser build ## measure calls against the browser's own, in one Chromium
	go test -run '^$$' -bench . -benchtime 40x ./e2e ./wasm/react

FUZZ := 30s
.PHONY: fuzz
fuzz: browser build ## look for inputs that break a rule, 30 seconds for each rule; FUZZ=10m takes that long
	@grep -ro --include='*_test.go' '^func Fuzz[A-Za-z0-9]*' . | while IFS=: read -r file target; do \
		go test -run '^$$' -fuzz "^$${target#func }$$" -fuzztime $(FUZZ) "./$$(dirname "$$file")" || exit 1; \
	done
	WEBMCP_FUZZ=$(FUZZ) go test -count 1 -timeout 0 -v -run TestNoInterleavingBreaksARule ./e2e

.PHONY: lint
lint: ## check the form of the code: format, vet, staticcheck, modules, what nothing uses
	@$(MAKE) --no-print-directory -k -j 2 unused formatted tidied vetted parsed

.PHONY: fmt
fmt: ## format the Go code
	$(FILES) -name '*.go' -print | xargs $(call tool,gofumpt) -w

# The parts of lint, which run two at a time. Each says what it found, or nothing.

# What is built for a page, too or only.
PAGED := ./bridge/... ./hooks/... ./internal/core ./wasm ./e2e/testdata/goapp

# The packages that nobody else calls.
OURS := '^github.com/webmcp-wasm/webmcp/(cmd|demo|docs|e2e|internal|npm|wasm)(/|$$)'

# Finds files of the repository, those in testdata too, which the go command leaves out.
FILES := find . \( -name node_modules -o -path ./dist -o -name artifacts \) -prune -o

# The tools are a module of their own: nobody who uses this one depends on them. The go command builds each once.
tool = "$$(go tool -modfile=internal/tools/go.mod -n $(1))"

# Runs what prints its findings and does not fail for them.
quiet = @found="$$($(1))" && test -z "$$found" || { printf '$(2)\n%s\n' "$$found"; exit 1; }

.PHONY: formatted
formatted:
	$(call quiet,$(FILES) -name '*.go' -print | xargs $(call tool,gofumpt) -l,Not formatted; run make fmt:)

.PHONY: tidied
tidied:
	@$(FILES) -name go.mod -print | while read -r mod; do go -C "$$(dirname "$$mod")" mod tidy -diff || exit 1; done

.PHONY: vetted
vetted:
	@go vet ./...
	@GOOS=js GOARCH=wasm go vet $(PAGED)
	@$(call tool,staticcheck) ./...
	@staticcheck=$(call tool,staticcheck); GOOS=js GOARCH=wasm "$$staticcheck" -tags lint $(PAGED)
	@staticcheck=$(call tool,staticcheck); for dir in $(EXAMPLES); do (cd $$dir && go vet ./... && "$$staticcheck" ./...) || exit 1; done

# Functions that neither a program nor a test reaches, natively and in a page; and those in the module that tests alone reach.
# What others may call is left out: there, staticcheck finds what is not exported and not used.
.PHONY: unused
unused:
	$(call quiet,$(call tool,deadcode) -test -filter $(OURS) ./...,Nothing uses:)
	$(call quiet,deadcode=$(call tool,deadcode); GOOS=js GOARCH=wasm "$$deadcode" -tags lint -test -filter $(OURS) $(PAGED),Nothing uses in a page:)
	$(call quiet,deadcode=$(call tool,deadcode); GOOS=js GOARCH=wasm "$$deadcode" -tags lint -filter 'webmcp/(internal/(core|jsontape|registry|texts)|wasm)(/|$$)' ./wasm ./e2e/testdata/goapp,Nothing but tests uses in a page:)

# The files of the glue one by one, for the places of what is wrong, and joined, as pages get them.
.PHONY: parsed
parsed:
	@mkdir -p dist && go run ./cmd/wasmexec -o dist/wasm_exec.js
	@! command -v node >/dev/null || { $(FILES) \( -name '*.js' -o -name '*.mjs' \) -print; echo dist/wasm_exec.js; } \
		| xargs node --no-warnings --experimental-vm-modules internal/tools/parse.mjs

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
