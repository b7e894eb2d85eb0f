# SPDX-License-Identifier: MIT
"""The look of pictures that matplotlib draws: the palette of src/drawing/palette.def, and SVG that
turns dark on a dark page, as pictures of the C++ programs do.
"""

import io
import re
from pathlib import Path

PALETTE = Path(__file__).parents[2] / "src" / "drawing" / "palette.def"
_COLOUR = re.compile(r'^SG_COLOUR\((\w+), "(#[0-9a-f]{6})", "(#[0-9a-f]{6})"\)$', re.MULTILINE)
_PAIRS = {name: (light, dark)
          for name, light, dark in _COLOUR.findall(PALETTE.read_text(encoding="utf-8"))}

# {name: "#rrggbb"} on a light page, which is what programs draw with.
COLOURS = {name: light for name, (light, _) in _PAIRS.items()}
# The same on a dark page.
DARK = {name: dark for name, (_, dark) in _PAIRS.items()}

# For a page that figures stand on.
PAGE_STYLE = f""":root {{ color-scheme: light dark; background: {COLOURS['paper']}; color: {COLOURS['ink']} }}
@media (prefers-color-scheme: dark) {{
    :root {{ background: {DARK['paper']}; color: {DARK['ink']} }}
}}
"""


def set_look(matplotlib):
    """Of all figures that are drawn from here on. Text stays text: it can be searched, and looks like
    the page's."""
    ink = COLOURS["ink"]
    matplotlib.rcParams.update({
        "svg.fonttype": "none",
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": ink,
        "axes.labelcolor": ink,
        "text.color": ink,
        "xtick.color": ink,
        "ytick.color": ink,
        "hatch.color": ink,
        "axes.facecolor": COLOURS["paper"],
        "figure.facecolor": COLOURS["paper"],
        "savefig.facecolor": COLOURS["paper"],
        "legend.facecolor": COLOURS["paper"],
        "grid.color": COLOURS["grid"],
    })


def _dark_rules():
    for light, dark in _PAIRS.values():
        if light != dark:
            for what in ("fill", "stroke"):
                yield (f'[{what}="{light}"],[style*="{what}: {light}"]'
                       f"{{{what}:{dark}!important}}\n")


def for_both_pages(svg):
    """The picture with the rules that turn its colours on a dark page. Viewers without styles show
    the light one."""
    style = f"<style>@media (prefers-color-scheme:dark){{\n{''.join(_dark_rules())}}}</style>"
    return re.sub(r"<svg[^>]*>", lambda match: f"{match[0]}\n{style}", svg, count=1)


def svg_of(figure, **metadata):
    """A figure of matplotlib as the text of a file. The same figure gives the same text."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, **metadata})
    return for_both_pages(text.getvalue())


def svg_for_page(figure):
    """The same as an element of an HTML page."""
    svg = svg_of(figure, Creator=None, Format=None, Type=None)
    return re.sub(r"^.*?(?=<svg)", "", svg, flags=re.DOTALL)
