# SPDX-License-Identifier: MIT
# A thin front over the CMake presets (CMakePresets.json). A target first installs the packages that
# it needs and the machine lacks: tools/install-packages lists them.

.DEFAULT_GOAL := help
.PHONY: help demo docs check test test-all cross-packages vm-packages gate-update settings-pages calls-table bench readme-figures build install uninstall \
	deb test-deb wheel clean format check-format

help:
	@echo "make demo    breadth-first search of WordNet and of a grid, checked against the serial one;"
	@echo "             an MPI program that has one outcome in ten runs"
	@echo "make check   the release tests but the models; one folder of tests/ with FOLDER=scheduler"
	@echo "make test    the tests: the release suite with the models, and what"
	@echo "             is concurrent under AddressSanitizer and ThreadSanitizer"
	@echo "make test-all   all of that and the generic port, AArch64, RISC-V, everything under every"
	@echo "             sanitizer; not again what has passed on this very tree"
	@echo "make test-STAGE   one stage: format, release, release-long, generic, aarch64-gcc, aarch64-clang,"
	@echo "             riscv64, asan, tsan, delays"
	@echo "make gate-update REASON='...'   new counts of the fast paths' instructions, tests/gate"
	@echo "make settings-pages   the tables of docs/settings.md and saguaro(7), from the sources"
	@echo "make calls-table   what may be called from where, in docs/guarantees.md, from a test"
	@echo "make bench   every benchmark beside its serial version and its peers; build/bench.json, .html;"
	@echo "             figures of simulated machines: build/sim.html"
	@echo "make readme-figures   the README's picture and the rows behind it, measured on this machine"
	@echo "make build   the release build without the tests; programs in build/bin"
	@echo "make docs    the manual as a site: build/docs/index.html"
	@echo "make install PREFIX=/usr/local   headers, libraries, cilkc, MPI, manual pages; heeds DESTDIR"
	@echo "make uninstall   removes what the last make install put there"
	@echo "make deb     Debian packages in build/deb"
	@echo "make test-deb   installs them in a bare Debian, compiles programs there, purges them; as root"
	@echo "make wheel   the MPI library as a wheel for pip, in build/wheel"
	@echo "make format  clang-format over the sources; make test fails where it would change something"
	@echo "make clean   remove build/"

demo:
	@tools/install-packages demo
	@cmake --preset release
	@cmake --build --preset release --target pbfs first_come
	@echo
	@echo "WordNet: its synsets are the vertices, the pointers between them the edges."
	@python3 examples/pbfs/wordnet_graph.py /usr/share/wordnet build/wordnet.mtx
	build/bin/pbfs build/wordnet.mtx --check
	@echo
	@echo "A grid of 100 x 100 x 100 vertices, each joined to its six neighbours."
	build/bin/pbfs grid3d:100 --check
	@echo
	@echo "An MPI program that adds up answers as they come, ten times on a busy machine: first by the"
	@echo "logical clock, then as other MPI libraries do. The last digits tell the order."
	examples/mpi/ten_times build/bin/detmpiexec -n 4 build/bin/first_come
	examples/mpi/ten_times build/bin/detmpiexec -order arrival -n 4 build/bin/first_come

# What a contributor runs after a change. With FOLDER, a folder of tests/ alone.
FOLDER :=
ifeq ($(FOLDER),)
check:
	@tools/install-packages test
	@tools/run-stages check
else
check:
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target $(subst /,_,$(FOLDER))_tests
	@ctest --test-dir build/release --output-on-failure -j 4 -L '^$(FOLDER)$$' -LE '^long$$'
endif

# What a newcomer runs; CONTRIBUTING.md has a table of the stages.
test:
	@tools/install-packages test
	@tools/run-stages format release asan-concurrent tsan-concurrent

# The rest as well, without the stages that have passed on this very tree.
test-all: cross-packages vm-packages
	@tools/install-packages test
	@tools/run-stages --new format release asan-concurrent tsan-concurrent \
		delays release-long generic aarch64-gcc aarch64-clang riscv64 asan-others tsan-others

# A single stage, whether it has passed or not.
test-%:
	@tools/install-packages test
	@tools/run-stages $*

test-release-long test-aarch64-gcc test-aarch64-clang test-riscv64: cross-packages
cross-packages:
	@tools/install-packages cross || true
test-release-long: vm-packages
vm-packages:
	@tools/install-packages vm || true

# The counts that `make test` compares with; REASON says why they change.
gate-update:
	@tools/install-packages test
	@cmake --preset release
	@cmake --build --preset release --target gate_programs
	@python3 -B tests/gate/gate.py @build/release/tests/gate/arguments --update "$$REASON"

settings-pages:
	@tools/install-packages test
	@cmake --preset release
	@cmake --build --preset release --target settings_table
	@python3 -B tools/settings-pages/settings-pages build/release/tests/docs/settings_table

calls-table:
	@tools/install-packages test
	@cmake --preset release
	@cmake --build --preset release --target process_places process_places_plugin
	@python3 -B tests/process/places_test.py build/release/tests/process/process_places \
		build/release/tests/process/libprocess_places_plugin.so . none --write
	@python3 -B tests/process/constructs_test.py none none none . none --write \
		Constructs.test_the_page_has_what_is_expected

bench:
	@tools/install-packages bench
	@cmake --preset release
	@cmake --build --preset build
	build/bin/saguaro-bench all --json build/bench.json
	bench/page/page.py build/bench.html build/bench.json --compiler "$$(g++ --version | head -n 1)"
	bench/sim/simulate.py build/bin/saguaro-sim build/sim.json --programs build/bin
	bench/sim/page.py build/sim.html build/sim.json

# The README's picture, and the rows behind it in docs/measurements.md, from this machine. A test then
# names the figures in the README's text that are no longer the run's. MEASURE stands before each
# measurement: a command that keeps the machine quiet, if there is one. A bench takes a minute at most;
# the loop would at its own size.
README_BENCHES := fib loop nqueens cilksort matmul strassen heat pbfs add-n steal
MEASURE :=
readme-figures:
	@tools/install-packages bench
	@cmake --preset release
	@cmake --build --preset build
	@mkdir -p build/readme
	@set -e; for bench in $(README_BENCHES); do \
		size=; [ $$bench != loop ] || size='--n 100000000'; \
		$(MEASURE) build/bin/saguaro-bench $$bench $$size --repeat 7 --json build/readme/$$bench.json; \
	done
	bench/page/readme_figure.py docs/images/readme.svg docs/measurements.md \
		$(README_BENCHES:%=build/readme/%.json)

docs:
	@tools/install-packages docs
	@mkdocs build --strict --quiet
	@echo "build/docs/index.html"

build:
	@tools/install-packages build
	@cmake --preset release
	@cmake --build --preset build

# Builds and installs the libraries, cilkc and the MPI library, and needs no package that only the
# tests, the bench or the examples need. Without the packages of cilkc or MPI, the rest.
PREFIX := /usr/local
install:
	@tools/install-packages install
	@cmake --preset library -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
	@cmake --build --preset library
	@DESTDIR="$(DESTDIR)" cmake --install build/library

# Removes the files of the last `make install`. If that had a DESTDIR, give the same one.
uninstall:
	@sed 's|^|$(DESTDIR)|' build/library/install_manifest.txt | xargs -d '\n' rm -fv

deb:
	@tools/install-packages deb
	@packaging/build-deb

# Makes the bare system with debootstrap, which takes root, and keeps it in build/deb-test. Skipped with
# a line where that cannot be done.
test-deb: deb
	@tools/install-packages test-deb || true
	@python3 -B tests/packages/debian_test.py build/deb

# The MPI library, its launcher and its compilers for pip: packaging/README.md.
wheel:
	@tools/install-packages wheel
	@packaging/wheel/build-wheel

clean:
	rm -rf build

FORMATTED := find src include tests bench examples tools \
	\( -name '*.h' -o -name '*.hpp' -o -name '*.c' -o -name '*.cpp' \) -print0
format:
	@tools/install-packages format
	@$(FORMATTED) | xargs -0 clang-format-19 -i

# Fails and names the places if `make format` would change something.
check-format:
	@tools/install-packages format
	@$(FORMATTED) | xargs -0 clang-format-19 --dry-run -Werror --ferror-limit=1
