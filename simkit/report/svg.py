"""Figures as inline SVG that takes its colours from the page, and as the bytes of SVG and PNG files."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET

from matplotlib.figure import Figure

from simkit.report import style

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
LINES = "stroke-linejoin: round; stroke-linecap: butt"
PNG_DPI = 160

ET.register_namespace("", SVG[1:-1])
ET.register_namespace("xlink", XLINK[1:-1])

# Colours that the page decides on; the fallback is the chart's own.
VARIABLES = {
    style.INK: "--ink",
    style.MUTED: "--muted",
    style.GRID: "--grid",
    style.BAND: "--band",
    style.PAPER: "--paper",
}
_USED_ID = re.compile(r"(?:href=\"|url\()#([^\")]+)")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_FAMILY = re.compile(r"; font-family: [^;]*")
_HEX = re.compile(r"#[0-9a-f]{6}\b")


def svg_of(figure: Figure, name: str, alt: str) -> str:
    """The figure as an <svg> element for a page: transparent, text as text, light and dark by the page's variables.

    Args:
        figure: what to draw; the same figure gives the same text, byte for byte.
        name: prefix of the element's ids, unique on the page.
        alt: what the chart says, for those who do not see it.
    """
    root = _tree(figure, name, inline=True)
    root.set("role", "img")
    root.set("aria-label", alt)
    root.set("style", LINES)
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    for node in root.iter():
        if "style" in node.attrib:
            node.set("style", _HEX.sub(_variable, node.attrib["style"]))
    return ET.tostring(root, encoding="unicode")


def svg_bytes(figure: Figure, alt: str = "") -> bytes:
    """The figure as an SVG file on white, always the same bytes for the same figure."""
    root = _tree(figure, "chart", inline=False)
    root.set("style", f"{LINES}; font-family: {FONTS}")
    title = ET.Element(SVG + "title")
    title.text = alt
    root.insert(0, title)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def png_bytes(figure: Figure) -> bytes:
    """The figure as a PNG file on white, 160 dpi, always the same bytes for the same figure."""
    target = io.BytesIO()
    with style.house_style():
        figure.savefig(target, format="png", dpi=PNG_DPI, facecolor=style.PAPER, metadata={"Software": None})
    return target.getvalue()


def _tree(figure: Figure, prefix: str, inline: bool) -> ET.Element:
    """The SVG of matplotlib without its date and fonts, and with ids of our own."""
    target = io.BytesIO()
    with style.house_style():
        figure.savefig(target, format="svg", transparent=inline)
    root = ET.fromstring(target.getvalue())
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (SVG + "metadata", SVG + "style"):  # the date; a rule for the whole page
                parent.remove(child)
    _rename_ids(root, prefix, "href" if inline else XLINK + "href")
    return root


def _rename_ids(root: ET.Element, prefix: str, href: str) -> None:
    """Numbers the ids in order, behind the prefix; what is never referred to loses its id."""
    used = set(_USED_ID.findall(ET.tostring(root, encoding="unicode")))
    order = [node.attrib["id"] for node in root.iter() if node.get("id") in used]
    names = {old: f"{prefix}-{i}" for i, old in enumerate(order)}
    for node in root.iter():
        old = node.attrib.pop("id", None)
        if old in names:
            node.set("id", names[old])
        target = node.attrib.pop(XLINK + "href", None)
        if target:
            node.set(href, "#" + names[target[1:]])
        for key, value in node.attrib.items():
            node.set(key, _REFERENCE.sub(lambda found: f"url(#{names[found[1]]})", value))
        if "style" in node.attrib:
            node.set("style", _FAMILY.sub("", node.attrib["style"]))


def _variable(found: re.Match[str]) -> str:
    variable = VARIABLES.get(found[0])
    return f"var({variable}, {found[0]})" if variable else found[0]
