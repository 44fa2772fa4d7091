# SPDX-License-Identifier: MIT
# What people type: demo, test, bench, install. Every target installs what it needs first.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Release builds carry the Swift runtime: they start sooner, and run where no Swift is installed.
RELEASE = -c release --static-swift-stdlib -Xlinker --gc-sections
BINARY = .build/release/fileq

.PHONY: all build demo test interop soak sanitize bench bench-outage install assets dependencies test-dependencies clean

all: build

# Quick when everything is there.
dependencies:
	@assets/install-dependencies

# Servers and proxies too, which are installed but never started beyond the tests.
test-dependencies:
	@assets/install-dependencies test

build: dependencies
	$(SWIFT) build $(RELEASE) --product fileq

demo: build
	$(BINARY) demo

# --explicit-target-dependency-import-check makes an import that Package.swift does not declare an error.
test: test-dependencies
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error
	SWIFT='$(SWIFT)' Tests/run

# Against another libcurl, one that speaks HTTP/3; it is fetched from where the system's packages come from.
interop: test-dependencies
	Tests/http3/run

# The background service killed as often as FILEQ_SOAK_CRASHES says; FILEQ_SOAK_SEED plays a run again. As root more is tried: full disks.
soak: test-dependencies
	$(SWIFT) build --build-tests
	FILEQ_SOAK_CRASHES=$${FILEQ_SOAK_CRASHES:-200} $(SWIFT) test --skip-build --filter SoakTests

# The stress test under the thread and the address sanitizer, built apart in .build/sanitizers.
sanitize: dependencies
	Tests/Sanitizers/run

bench: test-dependencies build
	-$(SWIFT) run -c release --package-path Benchmarks/tasks --scratch-path .build/bench-tasks tasks
	Benchmarks/run $(BINARY)
	Benchmarks/queue $(BINARY)

# As root: makes network namespaces.
bench-outage: test-dependencies build
	Benchmarks/outage $(BINARY)

assets: dependencies
	$(SWIFT) build --product fileq
	.build/debug/fileq generate assets

install: build
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -s -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/fileq
	install -m 644 assets/man/fileq.1 $(DESTDIR)$(PREFIX)/share/man/man1/fileq.1
	install -m 644 assets/completions/fileq.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/fileq
	install -m 644 assets/completions/_fileq $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_fileq
	install -m 644 assets/completions/fileq.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/fileq.fish

clean:
	$(SWIFT) package clean
