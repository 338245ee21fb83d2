"""Charts by matplotlib as SVG that belongs to the page: coloured by its style sheet, light or dark, and with its fonts.

Text stays text, ids that nothing refers to are dropped, and no style stands in an attribute, which the page's security
policy would ignore. No name out of a record is ever drawn: legends are HTML.
"""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

COLOURS: Final = 8
"""Lines of a chart that can be told apart."""
BARS: Final = 40
"""Bars of a histogram, at most."""
_SIZE: Final = (4.4, 2.3)  # inches of 72 units: text is readable on a phone; on a desk the style sheet makes it smaller
_FONT: Final = 9
_AXIS, _GRID, _ZERO = "#0000a1", "#0000a2", "#0000a3"
# Colours that stand for a class of the style sheet.
_CLASSES: Final = {f"#00000{i}": f"s{i}" for i in range(1, COLOURS + 1)} | {
    _AXIS: "axis",
    _GRID: "grid",
    _ZERO: "zero",
}
_STYLE: Final[Any] = {
    **{"svg.fonttype": "none", "font.size": _FONT, "text.parse_math": False, "axes.unicode_minus": True},
    **{"axes.edgecolor": _AXIS, "axes.grid": True, "axes.grid.axis": "y", "grid.color": _GRID, "grid.linewidth": 0.6},
    **{"axes.spines.top": False, "axes.spines.right": False, "axes.spines.left": False, "axes.axisbelow": True},
    **{"xtick.major.size": 0, "ytick.major.size": 0, "axes.labelsize": _FONT, "lines.linewidth": 1.6},
}
_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}href"
_KEPT: Final = ("stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "fill-opacity")


@dataclass(frozen=True)
class Line:
    """Values over x with a band around them."""

    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def can_draw() -> bool:
    """Tell whether matplotlib is there."""
    try:
        import matplotlib.figure  # noqa: F401, PLC0415 - an extra, imported only where it is used
    except ImportError:
        return False
    return True


def draw_lines(
    name: str,
    labels: tuple[str, str],
    lines: Sequence[Line],
    zero: float | None = None,
    limits: tuple[float, float] | None = None,
) -> str:
    """Draw up to COLOURS lines with their bands, and the value that stands for evenness."""

    def plot(axes: Any) -> None:
        if zero is not None:
            axes.axhline(zero, color=_ZERO, linewidth=0.8, linestyle=(0, (4, 3)))
        for number, line in enumerate(lines, 1):
            axes.fill_between(line.x, line.low, line.high, color=f"#00000{number}", alpha=0.18, linewidth=0)
            axes.plot(line.x, line.y, color=f"#00000{number}")
        axes.margins(x=0.01)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.set_ylim(*(limits or (0, None)))

    return _draw(name, labels, plot)


def draw_lengths(name: str, labels: tuple[str, str], counts: Mapping[int, int]) -> str:
    """Draw how often games were so long."""
    least, most = min(counts), max(counts)
    width = -(-(most - least + 1) // BARS)
    bars = Counter[int]()
    for length, count in counts.items():
        bars[least + (length - least) // width * width] += count

    def plot(axes: Any) -> None:
        middles = [begin + (width - 1) / 2 for begin in bars]
        axes.bar(middles, list(bars.values()), width=0.9 * width, color="#000001", alpha=0.8)
        axes.yaxis.get_major_locator().set_params(integer=True)
        axes.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
        axes.set_xlim(least - width, most + width)

    return _draw(name, labels, plot)


def _draw(name: str, labels: tuple[str, str], plot: Callable[[Any], None]) -> str:
    import matplotlib as mpl  # noqa: PLC0415 - see can_draw
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({**_STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.add_subplot()
        plot(axes)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        written = io.BytesIO()
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    return _inlined(written.getvalue().decode())


# ---- from a file of its own to a part of the page ----


def _inlined(svg: str) -> str:
    root = ET.fromstring(svg)  # noqa: S314 - matplotlib has just written it
    references = set(re.findall(r"url\(#([^)]+)\)", svg)) | set(re.findall(r'href="#([^"]+)"', svg))
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_SVG}metadata", f"{_SVG}style"):
                parent.remove(child)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]  # HTML knows an svg without its namespace
        if element.get("id") not in references:
            element.attrib.pop("id", None)
        if _XLINK in element.attrib:
            element.set("href", element.attrib.pop(_XLINK))
        _restyle(element)
    for size in ("width", "height", "version"):
        root.attrib.pop(size, None)
    root.attrib |= {"class": "chart", "aria-hidden": "true"}
    text = ET.tostring(root, encoding="unicode")
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", text)


def _restyle(element: ET.Element) -> None:
    """Turn a style attribute into plain attributes, and colours that stand for a class into it."""
    style = dict(re.findall(r"([a-z-]+):\s*([^;]+)", element.attrib.pop("style", "")))
    if element.tag == "text":
        element.attrib |= {"font-size": str(_FONT), "text-anchor": style.get("text-anchor", "start")}
        return
    element.attrib |= {name: style[name] for name in _KEPT if name in style}
    for paint in ("fill", "stroke"):
        colour = element.get(paint) or style.get(paint)
        if colour in _CLASSES:
            element.set("class", _CLASSES[colour])
            element.set(paint, "currentColor")
        elif colour:
            element.set(paint, colour)
