"""Where the keys of a TOML text are: tomllib reads the values but tells no lines.

The text has already been read by tomllib, so it is valid TOML (1.0); the scanner only has to find its way through it.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right

Key = tuple[str | int, ...]  # names of tables and keys, indices of array elements

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY_PART = re.compile(r""" "(?:[^"\\\n]|\\.)*" | '[^'\n]*' | [A-Za-z0-9_-]+ """, re.VERBOSE)
_SCALAR = re.compile(
    r"""
      \"\"\"(?:[^\\]|\\.)*?\"\"\"\"{0,2}  # a multi-line string may end in up to two quotes of its own
    | '''.*?''''{0,2}
    | "(?:[^"\\]|\\.)*"
    | '[^']*'
    | [^,\]}\#\n]+                        # number, date, true, false
    """,
    re.VERBOSE | re.DOTALL,
)


def key_lines(text: str) -> dict[Key, int]:
    """The line (from 1) of every table, key and array element of a valid TOML text.

    A table stands where its header is or, without a header of its own, where it is first mentioned.
    """
    scanner = _Scanner(text.replace("\r\n", "\n"))
    scanner.document()
    return scanner.lines


def split_key(text: str) -> tuple[list[str], str] | None:
    """The parts of the dotted key that `text` begins with, and what follows it; None when it begins with no key."""
    try:
        scanner = _Scanner(text)
        return scanner.key(), text[scanner.at :]
    except ValueError:
        return None


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Key, int] = {}
        self._last_index: dict[Key, int] = {}  # of arrays of tables
        self._breaks = [m.start() for m in re.finditer("\n", text)]

    def document(self) -> None:
        table: Key = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            table = self._header() if self._next("[") else self._pair(table)
            self._skip(_BLANK)

    def key(self) -> list[str]:
        """Reads a dotted key. Raises ValueError where there is none."""
        parts = []
        while True:
            self._skip(_SPACE)
            found = _KEY_PART.match(self.text, self.at)
            if not found:
                raise ValueError("no key")
            self.at = found.end()
            part = found.group()
            parts.append(tomllib.loads(f"x = {part}")["x"] if part[0] in "\"'" else part)
            self._skip(_SPACE)
            if not self._take("."):
                return parts

    def _header(self) -> Key:
        line = self._line()
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        *parents, name = self.key()
        self.at += brackets
        table: Key = ()
        for parent in parents:
            table = self._enter((*table, parent), line)
        table = (*table, name)
        if brackets == 2:
            self._last_index[table] = self._last_index.get(table, -1) + 1
            self.lines.setdefault(table, line)
            table = (*table, self._last_index[table])
        self.lines[table] = line
        return table

    def _enter(self, table: Key, line: int) -> Key:
        self.lines.setdefault(table, line)
        return (*table, self._last_index[table]) if table in self._last_index else table

    def _pair(self, table: Key) -> Key:
        """Reads `key = value` of a table and returns the table."""
        line = self._line()
        inner = table
        for part in self.key():
            inner = (*inner, part)
            self.lines.setdefault(inner, line)
        self._take("=")
        self._skip(_SPACE)
        self._value(inner)
        return table

    def _value(self, key: Key) -> None:
        if self._take("["):
            self._items("]", key)
        elif self._take("{"):
            self._items("}", key)
        elif found := _SCALAR.match(self.text, self.at):
            self.at = found.end()
        else:
            raise ValueError("no value")

    def _items(self, end: str, key: Key) -> None:
        index = 0
        self._skip(_BLANK)
        while not self._take(end):
            if end == "}":
                self._pair(key)
            else:
                self.lines[*key, index] = self._line()
                self._value((*key, index))
            index += 1
            self._skip(_BLANK)
            self._take(",")
            self._skip(_BLANK)

    def _line(self) -> int:
        return bisect_right(self._breaks, self.at - 1) + 1

    def _next(self, token: str) -> bool:
        return self.text.startswith(token, self.at)

    def _take(self, token: str) -> bool:
        if found := self._next(token):
            self.at += len(token)
        return found

    def _skip(self, pattern: re.Pattern[str]) -> None:
        if found := pattern.match(self.text, self.at):
            self.at = found.end()
