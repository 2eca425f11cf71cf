# The entry point. Every target installs the packages it needs (with Debian's apt, and sudo where
# needed); Swift must already be installed.

SWIFT ?= swift
export SWIFT
# SwiftPM would take these instead of its own clang; debhelper passes them to a cross-build.
unexport CC CXX
# Warnings are errors, unless STRICT is empty, for a build with compilers and libraries that came
# later; undeclared imports between targets do not build.
STRICT ?= -Xswiftc -warnings-as-errors
CHECKED = $(STRICT) --explicit-target-dependency-import-check error
# For another machine than this one: a destination of SwiftPM, and what it calls that machine.
# .ci/deb-for has both.
CROSS ?=
CROSS_TRIPLE ?=
BUILT = .build/$(if $(CROSS),$(CROSS_TRIPLE)/)release
# An object file that is linked with each program, see debian/glibc-shim.c.
LINKED ?=
# The programs run on a machine without Swift: the runtime is linked statically, no library is
# searched next to the binary, symbols are bound at start. Symbols are not exported, identical code
# is folded, and relocations are packed (glibc 2.36): 1.2 MB less on disk and in memory. Debug
# information, and so the build-id, does not depend on the build directory: neither as a path nor as
# the hash of one, which is in the names of compiled C modules. The one target in C++, which reads
# files from outside, checks its stack and the bounds of what it copies.
SHIPPED = -c release $(CHECKED) $(if $(CROSS),--destination $(CROSS)) --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xcc -ffile-prefix-map=$(CURDIR)=. \
	-Xcxx -ffile-prefix-map=$(CURDIR)=. -Xcxx -fstack-protector-strong -Xcxx -D_FORTIFY_SOURCE=2 \
	-Xswiftc -use-ld=lld -Xlinker -O2 -Xlinker --icf=all -Xlinker --no-export-dynamic \
	-Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs \
	-Xswiftc -Xfrontend -Xswiftc -function-sections -Xlinker -T -Xlinker $(CURDIR)/debian/discard.ld \
	$(if $(LINKED),-Xlinker $(LINKED))

DESTDIR ?=
prefix ?= /usr
# usage: $(call made,PROGRAM…); and with the flags of the tests.
made = set -e; for program in $(1); do .ci/build $(or $(2),$(SHIPPED)) --product $$program; done
# PACKAGE=FILE.deb, or the newest one that is built: made first, unless it is given.
PACKAGED = [ -n "$(PACKAGE)" ] || $(MAKE) --no-print-directory deb
NEWEST = "$${PACKAGE:-$$(ls -t .build/deb/geofenced_*.deb | head -1)}"

# What root makes in the tree of a user, as in make release, becomes that user's in the end, also where it
# has failed: below a directory of root's the user could make and remove nothing. But not what mktemp has
# named: another command may have a Debian in it.
ifeq ($(GIVEN_BACK)$(shell [ "$$(id -u)" != 0 ] || [ -O . ] || echo foreign),foreign)
.PHONY: give-back $(MAKECMDGOALS)
$(or $(MAKECMDGOALS),build): give-back
	@:
give-back:
	@result=0; $(MAKE) --no-print-directory GIVEN_BACK=yes $(MAKECMDGOALS) || result=$$?; \
		[ ! -e .build ] || find .build -type d -name '*.??????' -prune -o \
			-exec chown --no-dereference --reference=. {} +; exit $$result
else

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

# The daemon and its tool, and nothing that only tests need.
build:
	.ci/fetch build
	$(call made,geofenced geofencectl)

# The programs beside the daemon.
companions:
	.ci/fetch build companions
	$(call made,$(addprefix geofenced-,alert can map roads sync uplink ingest board))

# Positions from gpsd in, crossings out, until Ctrl-C. Without a gpsd on localhost:2947 a recorded
# drive is replayed. FENCES=FILE takes other fences.
run: build
	.ci/fetch run
	Tests/Drives/run $(FENCES)

# The same, and the drive on a map: open the address that it prints in a browser.
# exec: Ctrl-C would kill the shell of make, which is an error of make.
run-map: build
	.ci/fetch build companions run
	$(call made,geofenced-map)
	MAP=1 exec Tests/Drives/run $(FENCES)

# What the driver of a tall truck hears: a low bridge of a real extract, and a drive under it. With LANGUAGE=de,
# say, in two minutes, spoken and on the live map in that language; not with gettext's LANGUAGE.
ifneq ($(origin LANGUAGE),command line)
LANGUAGE :=
endif
run-bridge:
	.ci/fetch build companions run $(if $(LANGUAGE),map)
	$(call made,geofencectl geofenced-roads $(if $(LANGUAGE),geofenced geofenced-alert geofenced-map))
	LANGUAGE='$(LANGUAGE)' exec Tests/Drives/run-bridge

# Miles by state: a real drive over the state line, and the report of it.
run-tax:
	.ci/fetch build run
	$(call made,geofenced geofencectl)
	Tests/Drives/run-tax

# The office's table of places, an OData service before it, and a drive past them: docs/examples/sap.
run-office:
	.ci/fetch build companions run office
	$(call made,geofenced geofencectl geofenced-sync)
	[ -x .build/office/bin/python3 ] || { /usr/bin/python3 -m venv .build/office && \
		.build/office/bin/pip -q --disable-pip-version-check install pyslet==0.7.20170805; }
	PYTHON=.build/office/bin/python3 PROGRAMS=$(CURDIR)/.build/release docs/examples/sap/try

# A fleet for a try-out until Ctrl-C: broker, database, ingest, board and boxes on recorded drives; with
# SHARDS=2 two brokers, databases and ingests, and a database of their reports.
SHARDS ?=
run-fleet:
	.ci/fetch build companions run fleet
	$(call made,geofenced geofenced-uplink geofenced-ingest geofenced-board)
	SHARDS='$(SHARDS)' exec Tests/Drives/run-fleet

# Tests that the environment does not allow (a container: mounts, ptrace, …) are skipped and listed.
# ONLY=SUITE[,SUITE] builds those suites and what they need, and runs them; SKIP=REGULAR-EXPRESSION leaves
# out the tests of that name.
ONLY ?=
SKIP ?=
test:
	.ci/fetch build companions test
	SUITES='$(ONLY)' .ci/test $(CHECKED) $(if $(SKIP),--skip '$(SKIP)')

# The maps of a drive, recorded and live, in Debian's Chromium; PICTURES=DIRECTORY keeps what they
# looked like.
PICTURES ?=
test-map:
	.ci/fetch build companions run map
	$(call made,geofenced geofencectl geofenced-map,$(CHECKED))
	Tests/Map/test-map .build/debug/geofencectl $(PICTURES)
	Tests/Map/test-live .build/debug $(PICTURES)

# The board of a fleet in Debian's Chromium, before a real database; of ten thousand boxes, and behind
# nginx, too.
test-board:
	.ci/fetch build companions run fleet map
	$(call made,geofenced-ingest geofenced-board,$(CHECKED))
	Tests/Map/test-board .build/debug $(PICTURES)
	Tests/Map/test-proxy .build/debug

# Every fault of disk and process at every place; swift test has a sample of them.
test-faults:
	.ci/fetch build companions test
	FAULTS=all .ci/test $(CHECKED) --filter ProcessTests.DaemonTests

# A box drives rounds while its programs and those of the office are killed at random, KILLS times,
# and longer until there are EVENTS: six minutes. `make test` does it with 2,000 and 10.
EVENTS ?= 100000
KILLS ?= 100
test-fleet-faults: build companions
	.ci/fetch run fleet
	EVENTS=$(EVENTS) KILLS=$(KILLS) SEED=$(SEED) Tests/Drives/fleet-faults

# The disk of a box is replaced, backups are restored, the office fails over to a standby that lags, and
# the receiver's clock leaps, FAULTS times in about EVENTS events. `make test` does it with one of each kind.
FAULTS ?= 100
test-fleet-lives: build companions
	.ci/fetch run fleet
	EVENTS=$(EVENTS) FAULTS=$(FAULTS) SEED=$(SEED) Tests/Drives/fleet-lives

# The database of a fleet is away for 220 s while its boxes drive: how long until it has everything.
test-fleet-outage: build companions
	.ci/fetch run fleet
	Tests/Drives/fleet-outage

# Two shards and the database of their reports: brokers and databases are away in turn, only their boxes
# wait, and a box moves from one to the other.
test-shards:
	.ci/fetch build companions run fleet
	$(call made,geofenced geofencectl geofenced-uplink geofenced-ingest,$(CHECKED))
	PROGRAMS=$(CURDIR)/.build/debug Tests/Drives/test-shards

# Rewrites what tests and `make lint` compare with, for review: git diff shows the changes.
golden:
	.ci/fetch build companions test
	GOLDEN=1 .ci/test $(CHECKED)
	Tests/ReplayTests/rewrite-golden .build/debug/geofencectl
	.ci/check-languages --write
	.ci/check-layers --write

# The properties of the law on fresh seeds, for SOAK minutes.
SOAK ?= 30
soak:
	.ci/fetch build companions test
	SUITES=LawTests SOAK=$(SOAK) .ci/test -c release --scratch-path .build/release-tests $(CHECKED) \
		--filter SoakTests

# Every fuzzer (or TARGETS) for FUZZ minutes, as many at a time as there are processors, with a
# separate build. Findings are in .build/fuzz-corpus/TARGET-crash-…
FUZZ ?= 5
TARGETS ?=
FUZZER = .build/fuzz/release/fuzz
fuzz: fuzzer
	Tests/Fuzzing/run $(FUZZER) $$(($(FUZZ) * 60)) $(TARGETS)

# The same inputs every time, from a fixed seed and the kept corpus: what finds nothing today finds
# nothing tomorrow, unless the code has changed.
fuzz-again: fuzzer
	RUNS=5000 Tests/Fuzzing/run $(FUZZER) 60 $(TARGETS)

# Adds the fuzzers' new inputs to Tests/Fuzzing/Corpus, for review: the smallest set of files that
# reaches the new code.
fuzz-corpus: fuzzer
	Tests/Fuzzing/minimise $(FUZZER) $(TARGETS)

fuzzer:
	.ci/fetch build companions fuzz
	FUZZ=1 .ci/build -c release --scratch-path .build/fuzz --product fuzz \
		-Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld

# Our modules without the daemon around them; not part of any other build.
bench-programs: build
	export BENCH=1; $(call made,geofenced-bench)

# Compares geofenced with the alternatives, in about twenty minutes;
# docs/PERFORMANCE-METHOD.md says how to read it. QUICK=1 is for development; ONLY=import,nearest
# selects measures (sync and map build the companions); with DOC=1 the result is written into
# docs/PERFORMANCE.md.
QUICK ?=
DOC ?=
, := ,
BESIDE = $(filter sync map,$(or $(subst $(,), ,$(ONLY)),sync map))
bench: bench-programs $(if $(BESIDE),companions)
	.ci/fetch bench $(if $(filter map,$(BESIDE)),map office)
	.ci/fetch peers || echo 'bench: peers that are not here are skipped by name' >&2
	QUICK='$(QUICK)' ONLY='$(ONLY)' DOC='$(DOC)' Benchmarks/run

# What a fleet costs, in half an hour: rows a core-second, ten thousand boxes over TLS, an idle uplink,
# a month without a network, visits among ten million rows; with DOC=1 docs/FLEET-SIZING.md gets it.
bench-fleet: build companions
	.ci/fetch bench run fleet bench-fleet
	QUICK='$(QUICK)' ONLY='$(ONLY)' DOC='$(DOC)' Benchmarks/bench-fleet

# What a week of WEEK events takes as rows and as a file, and how long it takes to archive and to restore.
WEEK ?= 1000000
bench-archive: companions
	.ci/fetch bench run fleet
	EVENTS=$(WEEK) Benchmarks/archive-week

# Drives through low bridges on the roads of the extracts in EXTRACTS, and what circles, cones and
# corridors make of them: docs/APPROACH-FIGURES.md.
EXTRACTS ?=
SEED ?=
bench-approach:
	.ci/fetch build companions
	export BENCH=1; $(call made,geofenced-roads approach-bench,-c release $(CHECKED))
	EXTRACTS='$(EXTRACTS)' QUICK='$(QUICK)' SEED='$(SEED)' DOC='$(DOC)' Benchmarks/bench-approach

# The pictures of `geofencectl watch`, of the map and of the board in README.md, from the real screens.
picture: build companions
	.ci/fetch run fleet map
	docs/pictures/make-watch
	docs/pictures/make-map
	docs/pictures/make-languages
	docs/pictures/make-board .build/release

lint:
	.ci/fetch lint
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Benchmarks Sources Tests
	.ci/check-copyright
	.ci/check-docs
	.ci/check-languages
	.ci/check-layers
	.ci/check-interface
	.ci/check-packages
	.ci/check-pages
	@patch --dry-run --strip=1 --fuzz=0 --silent <Tests/Booted/next-version.patch || { \
		echo 'lint: Tests/Booted/next-version.patch does not apply: CONTRIBUTING.md, Recipes' >&2; exit 1; }

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift Benchmarks Sources Tests

# What is built, and builds nothing: root need not have a Swift. Settings go below $(DESTDIR)/etc, the
# rest below $(DESTDIR)$(prefix).
install:
	.ci/install-files '$(BUILT)' '$(DESTDIR)' '$(prefix)'

# The Debian packages for this machine, in .build/deb. RELEASE=bookworm, trixie or sid builds those of
# that release in a fresh chroot of it, in .build/deb/RELEASE, of sid the source package too;
# ARCH=arm64 cross-builds, in .build/deb/sid-arm64. Both need root; see docs/RELEASING.md.
RELEASE ?=
ARCH ?=
# No bug says that it will be packaged, and lintian of Debian 12 does not know Static-Built-Using.
LINTIAN_QUIET = initial-upload-closes-no-bugs,unknown-field
ifneq ($(RELEASE)$(ARCH),)
deb:
	.ci/fetch chroot
	.ci/deb-for '$(or $(RELEASE),sid)' $(ARCH)
else
deb:
	.ci/fetch build companions deb
	mkdir -p .build/deb
	rm -f .build/deb/*.deb
	dh_clean
	DEB_RULES_REQUIRES_ROOT=no DEB_DIR=.build/deb STRICT='$(STRICT)' debian/rules binary
	lintian --fail-on error,warning --suppress-tags $(LINTIAN_QUIET) .build/deb/*.deb
endif

# All programs as a system extension, for a host whose distribution has no package of ours, or whose root
# is an image: .build/sysext/geofenced.raw; see docs/RELEASING.md.
sysext: deb
	.ci/fetch sysext
	.ci/sysext .build/deb .build/sysext

# It is driven in Debian 12, 13 and sid, with their systemd and gpsd. Needs root, and a network the first
# time.
test-sysext: sysext
	Tests/Booted/sysext .build/sysext/geofenced.raw

# Daemon, tool, sync and uplink with a bus of their own as an image for a host of containers:
# .build/oci/geofenced.tar. Needs root, and a network the first time; see docs/RELEASING.md.
oci: deb
	.ci/fetch oci
	.ci/oci .build/deb .build/oci

# It is run by podman and driven. Needs root.
test-oci: oci
	Tests/Booted/oci .build/oci/geofenced.tar

# An apt repository as files, in .build/repository, of the packages that ONLY names (all that can be made),
# which are made first where they are not of this tree: signed with KEY, a secret key of gpg's, for a
# web server at URL, or for this machine alone. See docs/RELEASING.md.
KEY ?=
URL ?= file:$(CURDIR)/.build/repository
release:
	.ci/fetch chroot release
	ONLY='$(or $(ONLY),bookworm trixie sid bookworm-arm64 trixie-arm64 sid-arm64)' .ci/release '$(KEY)' '$(URL)'

# A software bill of materials beside the package (SPDX 2.3), validated with the SPDX project's own
# tools from PyPI. PACKAGE=FILE.deb uses that package instead of building one.
SPDX_TOOLS = .build/spdx-tools
sbom:
	.ci/fetch sbom
	$(PACKAGED)
	.ci/sbom $(NEWEST) .build/deb/geofenced.spdx.json
	[ -x $(SPDX_TOOLS)/bin/pyspdxtools ] || { /usr/bin/python3 -m venv $(SPDX_TOOLS) && \
		$(SPDX_TOOLS)/bin/pip -q --disable-pip-version-check install spdx-tools==0.8.5; }
	$(SPDX_TOOLS)/bin/pyspdxtools -i .build/deb/geofenced.spdx.json

# Builds the package again in a different environment: it must be identical, byte for byte.
reproducible: deb
	.ci/reproducible .build/deb/geofenced_*.deb

# The package in a Debian with systemd as PID 1: installed, driven, subjected to faults, upgraded,
# taken back, removed; with RELEASE= that of another Debian, in it. NEXT=DIRECTORY of packages for
# Debian 13 upgrades Debian 12 to it at the end, PREVIOUS=FILE.deb is the last release. Needs root,
# and a network the first time.
NEXT ?=
PREVIOUS ?=
test-booted: deb
	RELEASE='$(RELEASE)' NEXT='$(NEXT)' PREVIOUS='$(PREVIOUS)' \
		Tests/Booted/run .build/deb$(RELEASE:%=/%)/geofenced_*.deb $(BOOTED)

# This version and a next one, which Tests/Booted/next-version.patch makes of it, in turn in the middle of a
# drive: installed, and booted as the other slot of a box with a read-only root. Builds the daemon and its
# tool once more.
test-switches: deb
	rm -rf .build/later
	.ci/later-deb .build/deb/geofenced_*.deb .build/later.deb .build/later
	rm -rf .build/later
	LATER=.build/later.deb Tests/Booted/run .build/deb/geofenced_*.deb switched booted_in_turn

# The releases of Debian and the machines that are supported, and a table of them: an hour and more.
test-machines: build
	.ci/fetch chroot booted emulated
	PREVIOUS='$(PREVIOUS)' ONLY='$(ONLY)' Tests/Booted/machines

# Power cuts of a virtual machine, CUTS of them, and steps of its clock: Tests/PowerCut/README.md.
# PACKAGE=FILE.deb uses that package, and what is beside it, instead of building them. WHAT=office
# cuts the power of one with an uplink.
CUTS ?= 20
test-powercut:
	.ci/fetch powercut $(if $(filter office,$(WHAT)),fleet)
	$(PACKAGED)
	CUTS=$(CUTS) Tests/PowerCut/test-powercut $(NEWEST)

# The package with the real bluetoothd on a virtual radio, in a virtual machine: Tests/Beacons/README.md.
# ONLY=CASE[,CASE] runs some of the cases.
test-beacons:
	.ci/fetch powercut
	$(PACKAGED)
	ONLY=$(ONLY) Tests/Beacons/test-beacons $(NEWEST)

# Programs of others, real ones, read what geofenced says; ONLY=CHECK one of them: docs/STRANGERS.md.
test-strangers:
	.ci/fetch build companions strangers
	$(call made,geofenced geofencectl geofenced-ingest geofenced-map geofenced-uplink,$(CHECKED))
	Tests/Strangers/test-strangers .build/debug $(ONLY)

# geofenced-can on a real vcan, in a virtual machine: Tests/Can/README.md. Then the packages with their units
# in another, of which ONLY=CASE[,CASE] runs some of the cases.
test-can:
	.ci/fetch build powercut
	$(call made,geofenced-can,$(CHECKED))
	Tests/Can/test-can .build/debug/geofenced-can
	$(PACKAGED)
	ONLY=$(ONLY) Tests/Can/test-unit $(NEWEST)

clean:
	rm -rf .build
endif
