# SPDX-License-Identifier: MIT
# What people type. 'make setup' installs what building needs; 'make demo', and what tests against real servers or measures, install
# what they need as well. Everything else installs nothing, and says what is missing.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Release builds carry the Swift runtime: they start sooner, and run where no Swift is installed. Without a table of exported symbols, and
# with packed relocations, the program is 8 MB smaller and starts sooner. A program with packed relocations needs glibc 2.36. Swift's runtime
# finds metadata by the sections' names, not by references: nostart-stop-gc keeps those sections.
PACKED := $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
# Where builds are stored; `make build SCRATCH=folder` leaves the others alone.
SCRATCH ?= .build
# The C++ library is linked in as well, by the only one that is found below STATIC: otherwise each start looks up 1,700 names of it.
STATIC = $(SCRATCH)/static
RELEASE = -c release --scratch-path $(SCRATCH) --static-swift-stdlib -Xswiftc -L$(STATIC) -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker -z -Xlinker nostart-stop-gc \
  -Xlinker --no-export-dynamic $(PACKED) $(SWIFTFLAGS)
BINARY = $(SCRATCH)/release/fileq
# Makes an import that Package.swift does not declare an error.
TESTED = --build-tests --explicit-target-dependency-import-check error $(SWIFTFLAGS)

.PHONY: all setup present test-dependencies build lab demo check test-build test interop soak soak-day endurance simulate explore sanitize fuzz bench bench-check bench-outage install uninstall dist packages-test assets screens docs examples clean torture

all: build

setup:
	@assets/install-dependencies

present:
	@assets/install-dependencies --check

# Servers and proxies too, which are installed but never started beyond the tests.
test-dependencies:
	@assets/install-dependencies test

build: present $(STATIC)/libstdc++.a
	$(SWIFT) build $(RELEASE) --product fileq

# Each time: an update of g++ moves the archive.
$(STATIC)/libstdc++.a: FORCE
	@mkdir -p $(STATIC)
	@ln -sf "$$(g++ -print-file-name=libstdc++.a)" $@
FORCE:

# The server that fails on demand, the slow link and the table of timeouts: docs/Lab.md.
lab: present $(STATIC)/libstdc++.a
	$(SWIFT) build $(RELEASE) --product fileq-lab

demo: setup
	@$(MAKE) --no-print-directory build
	$(BINARY) demo

# Unit tests: no root, no servers, no network beyond loopback.
check: present
	$(SWIFT) build $(TESTED)
	SWIFT='$(SWIFT)' Tests/run unit

# What tests run.
test-build: test-dependencies
	$(SWIFT) build $(TESTED)

# Everything, against real servers and networks.
test: test-build
	SWIFT='$(SWIFT)' Tests/run

# Against another libcurl, one that speaks HTTP/3; it is fetched from where the system's packages come from. Then uploads to several
# servers, interrupted at random points. ARIA2_EXPLORER: the sources of that extension; without them, its part is skipped.
ARIA2_EXPLORER ?= .build/aria2-explorer
interop:
	@assets/install-dependencies interop
	Tests/http3/run
	@$(MAKE) --no-print-directory build
	$(SWIFT) build -c release --package-path Tests/uploads/nio --scratch-path .build/nio
	Tests/uploads/client.py $(BINARY) .build/uploads --large --tus-python .build/tuspyserver/bin/python --nio .build/nio/release/nio-uploads \
		--s3-python .build/moto/bin/python
	rm -rf .build/page && Tests/uploads/page.py $(BINARY) .build/page
	rm -rf .build/ariang && Tests/remote/ariang.py $(BINARY) $(ARIA2_EXPLORER) .build/ariang

# The background service killed as often as FILEQ_SOAK_CRASHES says; FILEQ_SOAK_SEED plays a run again. As root more is tried: full disks.
soak: test-dependencies
	$(SWIFT) build --build-tests
	FILEQ_SOAK_CRASHES=$${FILEQ_SOAK_CRASHES:-200} $(SWIFT) test --skip-build --filter SoakTests

# Each of SEEDS is one course of everything in virtual time: docs/Simulation.md. SEED plays one again with its trace; ONLY and TRANSFERS
# leave out faults and transfers.
SEEDS ?= 1-10000
SIMULATOR = $(SCRATCH)/simulate/release/TransferSimulator
NARROWED = $(if $(ONLY),--only $(ONLY)) $(if $(TRANSFERS),--transfers $(TRANSFERS))
simulate: present
	$(SWIFT) build -c release --scratch-path $(SCRATCH)/simulate --product TransferSimulator
	Tests/simulate $(SIMULATOR) $(if $(SEED),$(SEED) --trace,$(SEEDS)) $(NARROWED)

# Every state of a transfer's life: docs/dev/Life.md.
explore: present
	$(SWIFT) build -c release --scratch-path $(SCRATCH)/simulate --product TransferSimulator
	$(SIMULATOR) explore

# A day of virtual time in one process, with a million transfers; its memory may not grow.
SOAK_TRANSFERS ?= 1000000
soak-day: present
	$(SWIFT) build -c release --scratch-path $(SCRATCH)/simulate --product TransferSimulator
	$(SIMULATOR) --soak $(SOAK_TRANSFERS)

# HOURS in real time: service, interface and server under use and faults; memory, descriptors and threads may not grow.
HOURS ?= 2
endurance: present
	@$(MAKE) --no-print-directory build
	Tests/endurance/endurance.py $(BINARY) --hours $(HOURS)

# Each fallible call of the program fails in turn: docs/Torture.md. TORTURE=--places takes one of each place.
TORTURE ?=
torture: present
	@$(MAKE) --no-print-directory build
	Tests/torture/torture.py $(BINARY) $(TORTURE)

# The tests of the engine and the stress test under the thread and the address sanitizer, or SANITIZERS of them, built apart in .build/sanitizers.
sanitize: present
	Tests/Sanitizers/run $(SANITIZERS)

# Readers of outside input under libFuzzer: all, or FUZZ of them, each with FUZZ_RUNS inputs.
fuzz: present
	Tests/Fuzzing/run $(FUZZ)

# All, or PARTS of it: large, small, start, size, disk, serve, uploads, queue, split, tasks. Writes the figures into docs/Figures.md and README.md.
PARTS ?= large small start size disk serve uploads queue split tasks
bench: test-dependencies
	@$(MAKE) --no-print-directory build
	$(if $(filter tasks,$(PARTS)),-$(SWIFT) run -c release --package-path Benchmarks/tasks --scratch-path .build/bench-tasks tasks)
	$(if $(filter-out queue split tasks,$(PARTS)),Benchmarks/run $(BINARY) $(addprefix --only ,$(filter-out queue split tasks,$(PARTS))))
	$(if $(filter queue,$(PARTS)),Benchmarks/queue $(BINARY))
	$(if $(filter split,$(PARTS)),Benchmarks/split $(BINARY))
	Benchmarks/figures

# Instructions and the size of the program, against Benchmarks/ceilings.json; with CHECK=--ratio CPU time against curl's too.
bench-check: test-dependencies
	@$(MAKE) --no-print-directory build
	Benchmarks/check $(BINARY) $(CHECK)

# As root: makes network namespaces.
bench-outage: test-dependencies
	@$(MAKE) --no-print-directory build
	Benchmarks/outage $(BINARY)

# Manual pages, completions and units, written from the commands.
assets: present
	$(SWIFT) build --product fileq
	.build/debug/fileq generate assets

# Pictures of the interface in assets/screens, from real runs of the release build; the moving one needs tmux and Python 3.
screens: build
	assets/screens/make $(BINARY)
	assets/screens/cast $(BINARY)

# The reference of the library, as a static site in .build/docs.
docs: present
	docs/reference

# As a package of their own, as users build them; `make test` builds them with the rest.
examples: present
	docs/examples/check

install: build
	assets/packages/files install $(BINARY) $(DESTDIR)$(PREFIX)

uninstall:
	assets/packages/files remove $(DESTDIR)$(PREFIX)

# Debian package, tarball, checksums, list of components, install.sh and recipes, for this machine: docs/Install.md. RELEASES is the address
# from which people download them.
DIST ?= .build/dist
dist: build
	assets/packages/build $(BINARY) $(DIST)

# As root: what `make dist` has made, in systems that debootstrap makes for it, and install.sh against a server of its own.
packages-test: dist
	Tests/packages/install $(DIST)
	Tests/packages/run $(DIST) $(SUITES)

clean:
	$(SWIFT) package clean
