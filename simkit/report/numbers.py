"""How numbers are written, everywhere: to the digit that is known, with units and denominators in words."""

from __future__ import annotations

import math
from typing import Any

from simkit.answer import Format

MISSING = "–"
MINUS = "−"
THIN_SPACE = "\u202f"  # narrow and without a line break
MOST_DECIMALS = 6


def decimals_of(half_width: float) -> int:
    """Decimals that a 95 % half-width leaves meaningful: to its first digit, or its second when the first is a 1."""
    mantissa, exponent = f"{half_width:.1e}".split("e")
    digits = 2 if mantissa.startswith("1") else 1
    return min(max(digits - 1 - int(exponent), 0), MOST_DECIMALS)


def _plain_decimals(value: float) -> int:
    """Decimals of a number that comes without a half-width: three digits, none for whole numbers."""
    if value == round(value):
        return 0
    return min(max(2 - math.floor(math.log10(abs(value))), 0), MOST_DECIMALS)


def _fixed(value: float, decimals: int, signed: bool = False) -> str:
    text = f"{abs(value):,.{decimals}f}".replace(",", THIN_SPACE)
    if not any(digit in text for digit in "123456789"):
        return text  # a rounded zero has no sign
    return (MINUS if value < 0 else "+" if signed else "") + text


def number(value: float, half_width: float | None = None, *, signed: bool = False, decimals: int | None = None) -> str:
    """A number with the digits that are known: "0.42 ± 0.03", not "0.4187211".

    Args:
        value: the number; not finite gives "–".
        half_width: its 95 % half-width; None or not finite: none is shown.
        signed: whether a positive number gets its "+".
        decimals: decimals without a half-width; None: as many as make three digits.
    """
    if not math.isfinite(value):
        return MISSING
    if half_width is None or not math.isfinite(half_width):
        return _fixed(value, _plain_decimals(value) if decimals is None else decimals, signed)
    if half_width <= 0:  # known exactly
        return f"{_fixed(value, _plain_decimals(value), signed)} ± 0"
    known = decimals_of(half_width)
    return f"{_fixed(value, known, signed)} ± {_fixed(half_width, known)}"


def percent(share: float, half_width: float | None = None) -> str:
    """A share of 1 as per cent: "52.3 %", "52.3 ± 0.4 %"."""
    text = number(100 * share, _hundredfold(half_width), decimals=1)
    return text if text == MISSING else f"{text} %"


def points(effect: float, half_width: float | None = None) -> str:
    """A difference of two shares in percentage points, signed: "+0.42 ± 0.03"."""
    return number(100 * effect, _hundredfold(half_width), signed=True, decimals=2)


def _hundredfold(half_width: float | None) -> float | None:
    return None if half_width is None else 100 * half_width


def count(value: float) -> str:
    """A whole number with thin spaces: "12 345"."""
    return MISSING if not math.isfinite(value) else _fixed(value, 0)


def tick(value: float, *, signed: bool = False) -> str:
    """The label of an axis tick: no more digits than it has."""
    text = f"{abs(value):,.6g}".replace(",", THIN_SPACE)
    return text if text == "0" else (MINUS if value < 0 else "+" if signed else "") + text


def duration(seconds: float) -> str:
    """A length of time in words: "40 seconds", "12 minutes", "3.5 hours"."""
    for size, name in ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute")):
        if seconds >= 1.5 * size:
            return _counted(seconds / size, name)
    return _counted(seconds, "second") if seconds >= 1 else "less than a second"


def _counted(amount: float, name: str) -> str:
    text = f"{amount:.1f}" if amount < 9.95 else f"{amount:.0f}"
    text = text.removesuffix(".0")
    return f"{text} {name}" if text == "1" else f"{text} {name}s"


def is_missing(value: Any) -> bool:
    """Whether a value of a frame is None, NaN, NaT or NA."""
    return value is None or (not isinstance(value, str) and str(value) in {"nan", "NaT", "<NA>"})


def cell(value: Any, form: Format, half_width: float | None = None) -> str:
    """A table's cell as text; see simkit.answer.Format. Missing values (None, NaN) give "–"."""
    if is_missing(value):
        return MISSING
    if form == "text" or isinstance(value, str):
        return str(value)
    if form == "count":
        return count(value)
    return {"percent": percent, "points": points, "number": number}[form](float(value), half_width)
