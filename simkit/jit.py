"""The compilation policy, in one place: what is compiled, and where the machine code is kept.

numba's own cache does not notice an edit in another file (numba #1833): an outer function would keep the old result and
balance numbers would be wrong without a sign of it. So every entry point is cached in a folder that is named by a hash
of all sources it can reach, numba's version and the processor; an edit makes another folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numba.core.config
from llvmlite import ir
from numba.core import event
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

from simkit import interrupt
from simkit.errors import UsageError

# First-class functions are what lets one compiled loop play every strategy; the contract tests watch over them.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

config: Any = numba.core.config  # what it holds is made at run time
CACHE_ENV = "SIMKIT_CACHE"
KEEP_DAYS = 30

_OURS = re.compile(r".+-[0-9a-f]{16}")  # names of the folders that cache_folder makes
compiling = threading.RLock()  # held meanwhile: numba's cache folder is a global setting


def kernel(function: Callable[..., Any]) -> Any:
    """Compiles a function on its first use in an entry point; it is linked into it and needs no cache of its own.

    Whether it is inlined is LLVM's to decide; said in so many words, since numba else hands on what its caller wants.
    """
    return numba.njit(nogil=True, forceinline=False)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compiles a function as `kernel` does, and always into its callers: for the few that a call would cost more."""
    return numba.njit(nogil=True, forceinline=True)(function)


_instruction: Callable[[Any], Any] = intrinsic  # its own types ask callers for the typing context too


@_instruction
def one_of(typingctx: Any, functions: Any, index: Any) -> Any:
    """One of a tuple of functions, without the jump that numba's own indexing makes: which one is hard to predict."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, number = arguments
        found = builder.extract_value(values, 0)
        for place in range(1, signature.args[0].count):
            is_it = builder.icmp_signed("==", number, ir.Constant(number.type, place))
            found = builder.select(is_it, builder.extract_value(values, place), found)
        return found

    return functions.dtype(functions, index), generate


def cache_root() -> Path:
    """The folder of all compiled code: $SIMKIT_CACHE, or `simkit` in the user's cache folder."""
    if named := os.environ.get(CACHE_ENV):
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "simkit"


def digest(sources: Iterable[bytes]) -> str:
    """16 hex digits that change with any source, with numba, Python, the processor or bounds checking."""
    about = (numba.__version__, sys.version, llvmlite.binding.get_host_cpu_name(), str(config.BOUNDSCHECK))
    total = hashlib.sha256(repr(about).encode())
    for source in sources:
        total.update(hashlib.sha256(source).digest())
    return total.hexdigest()[:16]


def cache_folder(name: str, sources: Iterable[bytes]) -> Path:
    """The folder for code made from these sources; folders that nobody used for KEEP_DAYS days are removed.

    Raises:
        UsageError: it cannot be made.
    """
    folder = cache_root() / f"{name}-{digest(sources)}"
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(folder.parent)
        os.utime(folder)
    except OSError as wrong:
        where = f"${CACHE_ENV} names another folder"
        raise UsageError(f"{folder}: cannot keep compiled code here: {wrong.strerror}. {where}.") from None
    return folder


def _prune(root: Path) -> None:
    oldest = time.time() - KEEP_DAYS * 86_400
    for folder in root.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another process may prune too
            if _OURS.fullmatch(folder.name) and folder.stat().st_mtime < oldest:  # $SIMKIT_CACHE may hold other things
                shutil.rmtree(folder, ignore_errors=True)


def module_with(name: str, source_of: types.ModuleType, names: dict[str, Any]) -> types.ModuleType:
    """A second copy of a module under another name, in which the free names given are bound.

    This is how the one game loop becomes a compiled loop for each game with direct calls: LLVM inlines them, which
    calls through pointers would forbid. The copy is a real module, since numba looks its functions up by module name.
    """
    path = source_of.__file__
    assert path is not None
    copy = types.ModuleType(name, source_of.__doc__)
    copy.__file__ = path
    copy.__dict__.update(names)
    exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), copy.__dict__)
    sys.modules[name] = copy
    return copy


def entry_point(function: Callable[..., Any], signature: Any, folder: Path) -> Any:
    """Compiles `function` for one signature, or loads it from `folder`; a damaged cache is removed and made again.

    Threads may call it at once; each of them gets code that is ready.
    """
    with (
        compiling,
        interrupt.held_back() as raise_held,
        event.install_listener("numba:run_pass", _Steps(raise_held)),
    ):
        return _entry_point(function, signature, folder)


class _Steps(event.Listener):
    """Calls a function before each step of the compiler, where it may raise as the step itself may."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call

    def on_start(self, event: Any) -> None:
        self.call()

    def on_end(self, event: Any) -> None:
        pass


def _entry_point(function: Callable[..., Any], signature: Any, folder: Path) -> Any:
    function = getattr(function, "py_func", function)  # a kernel may be an entry point too
    # Two modules made from one file share a line number: the name keeps their cache entries apart.
    function.__qualname__ = f"{function.__module__}.{function.__name__}"
    dispatcher = _dispatcher(function, folder)
    try:
        dispatcher.compile(signature)
    except Exception:
        # A cut-off file raises EOFError or UnpicklingError on loading (numba #10434), any other damage what it likes:
        # what counts is that it did not come to compiling. A fault of the code itself goes on to the caller.
        if dispatcher.stats.cache_misses:
            raise
        forget(dispatcher)
        dispatcher = _dispatcher(function, folder)
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    (compiled,) = dispatcher.overloads.values()
    # A function that is handed to compiled code is asked for it anew each time; there is only one answer.
    dispatcher.get_compile_result = lambda signature: compiled
    return dispatcher


def bare(dispatcher: Any) -> Any:
    """The machine code of an entry point, called without the types of its arguments being looked at.

    That takes numba ten times as long as a decision of a game; who calls sees to the types.
    """
    (compiled,) = dispatcher.overloads.values()
    return compiled.entry_point


def _dispatcher(function: Callable[..., Any], folder: Path) -> Any:
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)  # read when the dispatcher is made
    try:
        return numba.njit(nogil=True, cache=True)(function)
    finally:
        config.CACHE_DIR = before


def forget(dispatcher: Any) -> None:
    """Removes the machine code that lies where this compiled function is cached."""
    for file in Path(dispatcher.stats.cache_path).glob("*.nb[ic]"):
        file.unlink(missing_ok=True)


@functools.cache
def sources_below(folder: Path) -> tuple[bytes, ...]:
    """The contents of all Python files in a game's folder and below it, in the order of their names.

    Strategies that come with a game are none of it: they are compiled apart, each under its own hash.
    """
    own = (path for path in sorted(folder.rglob("*.py")) if path.relative_to(folder).parts[0] != "strategies")
    return tuple(path.read_bytes() for path in own)
