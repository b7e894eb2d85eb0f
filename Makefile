# SPDX-License-Identifier: MIT
# A thin front over the CMake presets (CMakePresets.json). What a target needs and the machine
# lacks, it installs first: tools/install-packages says what.

.DEFAULT_GOAL := help
.PHONY: help demo docs test test-release test-generic test-aarch64 test-aarch64-gcc \
	test-aarch64-clang test-asan test-tsan gate-update bench build install uninstall clean format

help:
	@echo "make demo    breadth-first search of WordNet and of a grid, checked against the serial one"
	@echo "make test    every test: release, generic port, AArch64, then under three sanitizers"
	@echo "make test-release   one of its stages; so -generic, -asan, -tsan"
	@echo "make test-aarch64   the suite on AArch64: cross compilers and qemu; skipped if they cannot be had"
	@echo "make gate-update REASON='...'   new counts of the fast paths' instructions, tests/gate"
	@echo "make bench   every benchmark beside its serial version and its peers; build/bench.json, .html"
	@echo "make build   the release build; programs in build/bin"
	@echo "make docs    the manual as a site: build/docs/index.html"
	@echo "make install PREFIX=/usr/local   headers, libraries, manual pages; DESTDIR; uninstall"
	@echo "make format  clang-format over the sources"
	@echo "make clean   remove build/"

demo:
	@tools/install-packages demo
	@cmake --preset release
	@cmake --build --preset release --target pbfs
	@echo
	@echo "WordNet: its synsets are the vertices, the pointers between them the edges."
	@python3 examples/pbfs/wordnet_graph.py /usr/share/wordnet build/wordnet.mtx
	build/bin/pbfs build/wordnet.mtx --check
	@echo
	@echo "A grid of 100 x 100 x 100 vertices, each joined to its six neighbours."
	build/bin/pbfs grid3d:100 --check

test:
	@tools/install-packages test
	@tools/install-packages cross || true
	@$(MAKE) --no-print-directory test-release
	@$(MAKE) --no-print-directory test-generic
	@$(MAKE) --no-print-directory test-aarch64
	@$(MAKE) --no-print-directory test-asan
	@$(MAKE) --no-print-directory test-tsan

test-release test-generic test-aarch64-gcc test-aarch64-clang test-asan test-tsan: test-%:
	@echo "== tests: $*"
	@cmake --preset $*
	@cmake --build --preset $*
	@ctest --preset $*

# What stands on the processor's part, optimized by gcc; then the whole suite by clang, which
# compiles it in half the time. Skipped where Debian's packages cannot be had.
test-aarch64:
	@tools/install-packages cross || true
	@if type aarch64-linux-gnu-g++ clang++-19 qemu-aarch64 >/dev/null 2>&1 \
			&& test -d /usr/src/googletest; then \
		$(MAKE) --no-print-directory test-aarch64-gcc && \
		$(MAKE) --no-print-directory test-aarch64-clang; \
	else \
		echo "== tests: aarch64 skipped: no cross compiler, emulator or GoogleTest sources"; \
	fi

# The counts that `make test` compares with; REASON says why they change.
gate-update:
	@tools/install-packages test
	@cmake --preset release
	@cmake --build --preset release --target gate_programs
	@python3 -B tests/gate/gate.py @build/release/tests/gate/arguments --update "$$REASON"

bench:
	@tools/install-packages bench
	@cmake --preset release
	@cmake --build --preset release
	build/bin/saguaro-bench all --json build/bench.json
	bench/page/page.py build/bench.html build/bench.json --compiler "$$(g++ --version | head -n 1)"

docs:
	@tools/install-packages docs
	@mkdocs build --strict --quiet
	@echo "build/docs/index.html"

build:
	@tools/install-packages build
	@cmake --preset release
	@cmake --build --preset release

# The libraries and cilkc: nothing is needed that only other programs or tests need.
PREFIX := /usr/local
install:
	@tools/install-packages install
	@cmake --preset library -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	@cmake --build --preset library
	@DESTDIR="$(DESTDIR)" cmake --install build/library

# What the last `make install` put there; with its DESTDIR, if it had one.
uninstall:
	@sed 's|^|$(DESTDIR)|' build/library/install_manifest.txt | xargs -d '\n' rm -fv

clean:
	rm -rf build

format:
	@tools/install-packages format
	@find src include tests bench examples \
		\( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \) -print0 \
		| xargs -0 clang-format-19 -i
