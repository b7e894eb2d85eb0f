# SPDX-License-Identifier: MIT
"""Every link between documents leads to a file, and to a heading of it.

Usage: links_test.py ROOT-OF-THE-REPOSITORY [unittest options]

Links to other hosts are not followed. The README, docs/ and the pages beside the code are read. All
of docs/ is in the navigation of the site.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(".")

LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def pages():
    names = ("README.md", "CONTRIBUTING.md", "bench/README.md", "examples/README.md",
             "packaging/README.md")
    found = [ROOT / name for name in names]
    return found + sorted((ROOT / "docs").glob("*.md")) + sorted((ROOT / "src").glob("*/*.md"))


def anchor(heading):
    """As GitHub and mkdocs both make it of our headings."""
    plain = re.sub(r"[`*]|[^\w\s-]", "", heading.lower())
    return re.sub(r"\s", "-", plain.strip())


def anchors(path):
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    return {anchor(heading) for heading in HEADING.findall(text)}


def broken_links(path):
    text = CODE.sub("", FENCED.sub("", path.read_text(encoding="utf-8")))
    for target, fragment in LINK.findall(text):
        file = (path.parent / target) if target else path
        if not file.is_file():
            yield f"{path}: no file {target}"
        elif fragment and fragment not in anchors(file):
            yield f"{path}: {target}#{fragment}: no such heading"


class Links(unittest.TestCase):
    def test_lead_somewhere(self):
        self.assertEqual([link for page in pages() for link in broken_links(page)], [])

    def test_are_found(self):
        """The pattern still finds links: those of the first page."""
        text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
        self.assertGreater(len(LINK.findall(text)), 10)

    def test_headings_are_as_the_site_makes_them(self):
        self.assertEqual(
            anchor("What a join may run on your stack: nothing"),
            "what-a-join-may-run-on-your-stack-nothing",
        )
        self.assertEqual(anchor("A `scope`, again"), "a-scope-again")

    def test_the_site_has_every_page(self):
        site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        pages_of_docs = [path.name for path in (ROOT / "docs").glob("*.md")]
        manual = [f"man/{path.name}.md" for path in (ROOT / "docs/man").glob("*.[1-8]")]
        missing = [name for name in pages_of_docs + manual if f": {name}\n" not in site]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    ROOT = Path(sys.argv.pop(1))
    unittest.main()
