# SPDX-License-Identifier: MIT
# A thin front over the CMake presets (CMakePresets.json). What a target needs and the machine
# lacks, it installs first: tools/install-packages says what.

.DEFAULT_GOAL := help
.PHONY: help demo test test-release test-asan test-tsan bench build clean format

help:
	@echo "make demo    breadth-first search of WordNet and of a grid, checked against the serial one"
	@echo "make test    every test: release, then AddressSanitizer with UBSan, then ThreadSanitizer"
	@echo "make bench   every benchmark beside its serial version and its peers; build/bench.json"
	@echo "make build   the release build; programs in build/bin"
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
	@$(MAKE) --no-print-directory test-release
	@$(MAKE) --no-print-directory test-asan
	@$(MAKE) --no-print-directory test-tsan

test-release test-asan test-tsan: test-%:
	@echo "== tests: $*"
	@cmake --preset $*
	@cmake --build --preset $*
	@ctest --preset $*

bench:
	@tools/install-packages bench
	@cmake --preset release
	@cmake --build --preset release
	build/bin/saguaro-bench all --json build/bench.json

build:
	@tools/install-packages build
	@cmake --preset release
	@cmake --build --preset release

clean:
	rm -rf build

format:
	@tools/install-packages format
	@find src include tests bench examples \
		\( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \) -print0 \
		| xargs -0 clang-format-19 -i
