# SPDX-License-Identifier: MIT
"""Hooks of mkdocs (mkdocs.yml): what the site has that docs/ has not.

The protocols stand beside the code and are pages of the site all the same; so are the headers,
which document themselves, and the manual pages, as mandoc prints them. Links between pages are
written as they are in the repository, and are turned here into those of the site.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

# Pages of the site that lie elsewhere in the repository.
ELSEWHERE = {
    "bench.md": "bench/README.md",
    "examples.md": "examples/README.md",
    "examples-mpi.md": "examples/mpi/README.md",
    "litmus.md": "tests/litmus/herd/README.md",
    "packaging.md": "packaging/README.md",
    "protocols/race.md": "src/race/README.md",
    "protocols/scheduler.md": "src/scheduler/README.md",
    "protocols/inlets.md": "src/scheduler/inlets.md",
    "protocols/ending.md": "src/scheduler/ending.md",
    "protocols/blocking.md": "src/scheduler/blocking.md",
    "protocols/isolation.md": "src/scheduler/isolation.md",
    "protocols/arena.md": "src/scheduler/arena.md",
    "protocols/threadless.md": "src/scheduler/threadless.md",
    "protocols/forkjoin.md": "src/forkjoin/README.md",
    "protocols/cilk.md": "src/cilk/README.md",
    "protocols/stacks.md": "src/stacks/README.md",
    "protocols/numa.md": "src/numa/README.md",
    "protocols/record.md": "src/record/README.md",
    "protocols/hyperobjects.md": "src/hyperobjects/README.md",
    "protocols/nanothreads.md": "src/nanothreads/README.md",
    "protocols/vms.md": "src/vms/README.md",
    "protocols/spmc.md": "src/spmc/README.md",
    "protocols/channels.md": "src/channels/README.md",
    "protocols/pools.md": "src/pools/README.md",
    "protocols/mpi.md": "src/mpi/README.md",
    "protocols/mpi-core.md": "src/mpi/core/README.md",
    "protocols/mpi-communicators.md": "src/mpi/core/communicators/README.md",
    "protocols/mpi-collectives.md": "src/mpi/core/collectives/README.md",
    "protocols/mpi-windows.md": "src/mpi/core/windows/README.md",
    "protocols/mpi-files.md": "src/mpi/core/files/README.md",
    "protocols/mpi-spawn.md": "src/mpi/core/spawn/README.md",
    "protocols/mpi-transport.md": "src/mpi/transport/README.md",
    "protocols/mpi-fortran.md": "src/mpi/fortran/README.md",
    "protocols/cilkc.md": "tools/cilkc/README.md",
    "protocols/detmpiexec.md": "tools/detmpiexec/README.md",
    "protocols/saguaro-sim.md": "tools/saguaro-sim/README.md",
}

HEADERS = "include"

LINK = re.compile(r"\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)")
# What the site has instead of what stands between two comments: the headers of that folder.
GENERATED = re.compile(r"<!-- headers (\S+) -->.*?<!-- /headers -->", re.DOTALL)


def root_of(config):
    return os.path.dirname(config["config_file_path"])


def read(config, name):
    with open(os.path.join(root_of(config), name), encoding="utf-8") as file:
        return file.read()


def page_file(config, name, source):
    """A page of the site whose text is that file's."""
    file = File(name, config["docs_dir"], config["site_dir"], config["use_directory_urls"])
    file.abs_src_path = os.path.join(root_of(config), source)
    return file


def in_repository(page):
    """Where in the repository the page lies."""
    source = re.sub(r"^(man/.*)\.md$", r"\1", page)
    return ELSEWHERE.get(page, os.path.join("docs", source))


def manual_pages(files):
    return [file.src_path for file in files if re.fullmatch(r"man/[\w-]+\.[1-8]", file.src_path)]


def on_files(files, config):
    if shutil.which("mandoc") is None:
        raise PluginError("no mandoc here: it prints the manual pages (Debian: mandoc)")
    for name, source in ELSEWHERE.items():
        files.append(page_file(config, name, source))
    for name in headers(config):
        files.append(page_file(config, f"headers/{name}.md", f"{HEADERS}/{name}"))
    for name in manual_pages(files):
        files.remove(files.get_file_from_path(name))
        files.append(page_file(config, name + ".md", os.path.join("docs", name)))
    return files


def manual_page(path):
    """A page of a manual as text. What mandoc prints over itself is bold, or underlined."""
    command = ["mandoc", "-T", "utf8", "-O", "width=90", path]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    title = os.path.basename(path)
    return f"# {title[:-2]}({title[-1]})\n\n```\n{re.sub('.' + chr(8), '', printed)}```\n"


def headers(config):
    """As a program includes them: saguaro/run.hpp."""
    found = Path(root_of(config), HEADERS).rglob("*.h*")
    return sorted(path.relative_to(Path(root_of(config), HEADERS)).as_posix() for path in found)


def first_sentence(header):
    """Of the comment behind the SPDX line."""
    comment = re.sub(r"^ *(//|/\*|\*/?) ?", "", header.split("\n", 1)[1], flags=re.MULTILINE)
    paragraph = " ".join(comment.strip().split("\n\n")[0].split())
    sentence = re.split(r"(?<=\.)\s", paragraph, maxsplit=1)[0].replace("<", "&lt;")
    return re.sub(":$", ".", sentence)


def headers_table(config, folder):
    rows = ""
    for name in headers(config):
        if os.path.dirname(name) == folder:
            about = first_sentence(read(config, f"{HEADERS}/{name}"))
            rows += f"| [`{name}`](headers/{name}.md) | {about} |\n"
    return "| header | |\n|---|---|\n" + rows


def on_page_read_source(page, config):
    """Manual pages and headers are not Markdown."""
    own = page.file.src_path
    if own.startswith("man/"):
        return manual_page(page.file.abs_src_path)
    if own.startswith("headers/"):
        name = own[len("headers/") : -len(".md")]
        return f"# {name}\n\n```cpp\n{read(config, f'{HEADERS}/{name}')}```\n"
    return None


def on_page_markdown(markdown, page, config, files):
    own = page.file.src_path
    site_pages = {in_repository(file.src_path): file.src_path for file in files}
    site_pages["README.md"] = "index.md"

    def as_on_the_site(match):
        target, anchor = match.group(1), match.group(2) or ""
        directory = os.path.dirname(in_repository(own))
        found = site_pages.get(os.path.normpath(os.path.join(directory, target)))
        if found is None:
            return match.group(0)  # mkdocs says that it is broken
        return f"]({os.path.relpath(found, os.path.dirname(own) or '.')}{anchor})"

    linked = LINK.sub(as_on_the_site, markdown)
    return GENERATED.sub(lambda match: headers_table(config, match.group(1)), linked)
