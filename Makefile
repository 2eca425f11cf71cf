# The front door. Everything here installs what it lacks by itself (Debian's apt, with sudo where
# that is needed); Swift must be there.

SWIFT ?= swift
export SWIFT
# Warnings are errors; a target that imports what it does not declare does not build.
CHECKED = -Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error
# A daemon that starts on a machine without Swift: the runtime is linked in, nothing is looked up
# next to the binary, symbols are bound at start. Nothing looks up symbols in it either, what is the
# same is there once, and relocations are packed (glibc 2.36): 1.2 MB less on disk and in memory.
# Debug information, and so the build-id, does not say in which directory it was built: neither as a
# path nor as the hash of one, which the names of compiled C modules are.
RELEASE = -c release $(CHECKED) --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -use-ld=lld -Xlinker -O2 -Xlinker --icf=all -Xlinker --no-export-dynamic \
	-Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs \
	-Xswiftc -Xfrontend -Xswiftc -function-sections $(if $(LINK_ORDER),$(ORDERED))
# For the package, which sets LINK_ORDER: what runs while driving lies together (1 MB less in memory). The
# linker passes over a name that is no longer there.
LINK_ORDER ?=
ORDERED = -Xlinker --symbol-ordering-file=$(CURDIR)/$(LINK_ORDER)/hot-code.order \
	-Xlinker --no-warn-symbol-ordering -Xlinker -T -Xlinker $(CURDIR)/$(LINK_ORDER)/nameless.ld

DESTDIR ?=
prefix ?= /usr

# The two programs, and nothing that only tests need.
.PHONY: build
build:
	.ci/fetch build
	$(SWIFT) build $(RELEASE) --product geofenced
	$(SWIFT) build $(RELEASE) --product geofencectl

# Positions from gpsd in, crossings out, until Ctrl-C. Without a gpsd on localhost:2947 a recorded
# drive is replayed. FENCES=FILE takes other fences.
.PHONY: run
run: build
	.ci/fetch run
	Tests/Drives/run $(FENCES)

# What the place where it runs denies (a container: mounts, ptrace, …) is skipped, and named at the end.
.PHONY: test
test:
	.ci/fetch build test
	.ci/test $(CHECKED)

# Every fault of disk and process at every place; swift test has a sample of them.
.PHONY: test-faults
test-faults:
	.ci/fetch build test
	FAULTS=all .ci/test $(CHECKED) --filter ProcessTests.DaemonTests

# Writes what the tests compare with anew, for review: git diff shows what has changed.
.PHONY: golden
golden:
	.ci/fetch build test
	GOLDEN=1 $(SWIFT) test $(CHECKED)
	Tests/ReplayTests/rewrite-golden .build/debug/geofencectl

# The properties of the law on fresh seeds, for SOAK minutes.
SOAK ?= 30
.PHONY: soak
soak:
	.ci/fetch build test
	SOAK=$(SOAK) $(SWIFT) test -c release --scratch-path .build/release-tests $(CHECKED) \
		--filter SoakTests

# Every fuzzer (or TARGETS) for FUZZ minutes, as many at a time as there are processors, with a build
# of its own. What they find is .build/fuzz-corpus/TARGET-crash-…
FUZZ ?= 5
TARGETS ?=
FUZZER = .build/fuzz/release/fuzz
.PHONY: fuzz
fuzz: fuzzer
	Tests/Fuzzing/run $(FUZZER) $$(($(FUZZ) * 60)) $(TARGETS)

# Takes what the fuzzers have found into Tests/Fuzzing/Corpus, for review: what is new there, and no
# more files than it takes to reach it.
.PHONY: fuzz-corpus
fuzz-corpus: fuzzer
	Tests/Fuzzing/minimise $(FUZZER) $(TARGETS)

.PHONY: fuzzer
fuzzer:
	.ci/fetch build
	FUZZ=1 $(SWIFT) build -c release --scratch-path .build/fuzz --product fuzz \
		-Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld

# What is measured is what is shipped.
bench-programs hot-code: LINK_ORDER = debian/link-order

# Our parts without the daemon around them, and no part of any other build.
.PHONY: bench-programs
bench-programs: build
	BENCH=1 $(SWIFT) build $(RELEASE) --product geofenced-bench

# Which code runs while driving, found out again; git diff says whether it is worth a commit. It is
# never wrong, only less of a help the older it is.
.PHONY: hot-code
hot-code: bench-programs
	.ci/fetch bench
	rm -f .build/release/geofenced
	$(SWIFT) build $(RELEASE) --product geofenced -Xlinker -Map=$(CURDIR)/.build/hot-code.map
	Benchmarks/hot-code .build/hot-code.map > .build/hot-code.order
	mv .build/hot-code.order debian/link-order/hot-code.order
	rm -f .build/release/geofenced

# Ours beside what one would use instead, in about a quarter of an hour; docs/PERFORMANCE-METHOD.md says
# how to read it. QUICK=1 is for development; ONLY=import,nearest are single measures; with DOC=1 the
# result goes into that page.
QUICK ?=
ONLY ?=
DOC ?=
.PHONY: bench
bench: bench-programs
	.ci/fetch bench
	.ci/fetch peers || echo 'bench: peers that are not here are skipped by name' >&2
	QUICK='$(QUICK)' ONLY='$(ONLY)' DOC='$(DOC)' Benchmarks/run

# The picture of `geofencectl watch` in README.md, from the real screen.
.PHONY: picture
picture: build
	.ci/fetch run
	docs/pictures/make-watch

.PHONY: lint
lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Benchmarks Sources Tests
	.ci/check-docs
	.ci/check-layers
	.ci/check-pages

.PHONY: format
format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Benchmarks Sources Tests

# Settings go below $(DESTDIR)/etc, the rest below $(DESTDIR)$(prefix).
.PHONY: install
install: build
	install -D -m 755 -t $(DESTDIR)$(prefix)/sbin .build/release/geofenced
	install -D -m 755 -t $(DESTDIR)$(prefix)/bin .build/release/geofencectl
	.ci/install-files '$(DESTDIR)' '$(prefix)'

# The Debian package, in .build/deb.
.PHONY: deb
deb:
	.ci/fetch build deb
	mkdir -p .build/deb
	dh_clean
	DEB_RULES_REQUIRES_ROOT=no DEB_DIR=.build/deb debian/rules binary
	lintian --fail-on error,warning .build/deb/*.deb

# A software bill of materials beside the package (SPDX 2.3), held against the standard by the tools of
# its makers, which come from PyPI. PACKAGE=FILE.deb takes that instead of building one.
SPDX_TOOLS = .build/spdx-tools
.PHONY: sbom
sbom:
	.ci/fetch sbom
	[ -n "$(PACKAGE)" ] || $(MAKE) --no-print-directory deb
	.ci/sbom "$${PACKAGE:-$$(ls -t .build/deb/geofenced_*.deb | head -1)}" .build/deb/geofenced.spdx.json
	[ -x $(SPDX_TOOLS)/bin/pyspdxtools ] || { /usr/bin/python3 -m venv $(SPDX_TOOLS) && \
		$(SPDX_TOOLS)/bin/pip -q --disable-pip-version-check install spdx-tools==0.8.5; }
	$(SPDX_TOOLS)/bin/pyspdxtools -i .build/deb/geofenced.spdx.json

# The package once more, elsewhere and otherwise: it must be the same, byte for byte.
.PHONY: reproducible
reproducible: deb
	.ci/reproducible .build/deb/geofenced_*.deb

# The package in a Debian with systemd as PID 1: installed, driven with, hurt, upgraded, removed.
# Needs root, and a network the first time.
.PHONY: test-booted
test-booted: deb
	Tests/Booted/run .build/deb/geofenced_*.deb $(BOOTED)

# Power cuts of a virtual machine, CUTS of them, and steps of its clock: Tests/PowerCut/README.md.
# PACKAGE=FILE.deb takes that instead of building one.
CUTS ?= 20
.PHONY: test-powercut
test-powercut:
	.ci/fetch powercut
	[ -n "$(PACKAGE)" ] || $(MAKE) --no-print-directory deb
	CUTS=$(CUTS) Tests/PowerCut/test-powercut \
		"$${PACKAGE:-$$(ls -t .build/deb/geofenced_*.deb | head -1)}"

.PHONY: clean
clean:
	rm -rf .build
