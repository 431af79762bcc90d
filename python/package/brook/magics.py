"""Cells of notebooks that are kernels: ``%load_ext brook``, then ``%%okl`` and ``%%brook``."""

from __future__ import annotations

import argparse
import shlex
import sys
import threading
import time
from typing import Any

from ._brook import CompileError, Device, Program
from ._functions import default_device

__all__ = ["register"]


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise ValueError(message)


def _parser(name: str) -> _Arguments:
    parser = _Arguments(prog=f"%%{name}", add_help=False, description="Kernels of the cell become functions of the notebook.")
    parser.add_argument("-d", "--device", help="where they run: cuda:0; without it the best device")
    parser.add_argument("-D", "--define", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("-p", "--program", metavar="NAME", help="the name of the program as a whole")
    parser.add_argument("-v", "--verbose", action="store_true", help="say what was built, for what, and how long it took")
    parser.add_argument("-a", "--relaxed", action="store_true", help="Brook+: operands of different types are converted")
    parser.add_argument("--math", choices=["default", "strict", "fast"], default="default")
    return parser


class _Progress:
    """Says that a build goes on, when it takes longer than people wait without a word."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)

    def _tell(self) -> None:
        start = time.monotonic()
        told = False
        while not self._ended.wait(1.0):
            told = True
            print(f"\rbuilding {self._what}: {time.monotonic() - start:.0f} s", end="", file=sys.stderr, flush=True)
        if told:
            print(f"\rbuilding {self._what}: {time.monotonic() - start:.1f} s, done", file=sys.stderr, flush=True)

    def __enter__(self) -> _Progress:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()


def _cell(shell: Any, language: str, line: str, text: str) -> None:
    options = _parser(language).parse_args(shlex.split(line))
    device = Device(options.device) if options.device else default_device()
    macros = dict(define.split("=", 1) if "=" in define else (define, "1") for define in options.define)
    name = f"cell.{'br' if language == 'brook' else 'okl'}"
    start = time.monotonic()
    try:
        with _Progress(f"for {device.name}"):
            program: Program = device.build_source(
                text, name=name, language=language, math=options.math, relaxed=options.relaxed, defines=macros
            )
    except CompileError as error:
        # The message has the lines of the cell; a trace of this file tells nothing.
        print(error, file=sys.stderr)
        shell.user_ns["_brook_error"] = error
        raise _Stop(error) from None
    taken = time.monotonic() - start
    made = {kernel: getattr(program, kernel) for kernel in program.kernels}
    if options.program:
        made[options.program] = program
    shell.push(made)
    if program.warnings:
        print(program.warnings, file=sys.stderr)
    if options.verbose:
        origin = "from the kernel cache" if program.from_cache else "built"
        print(f"{device.name} ({device.info.description}), {device.info.compiler}: {origin} in {taken:.2f} s")
        for kernel in program.kernels:
            print(made[kernel].explain())


class _Stop(CompileError):
    """Ends a cell whose message has been shown."""

    def __init__(self, error: CompileError) -> None:
        super().__init__("the cell does not compile")
        self.diagnostics = error.diagnostics

    def _render_traceback_(self) -> list[str]:
        return []


def register(shell: Any) -> None:
    """Adds the magics to an IPython shell."""
    for language in ("okl", "brook"):

        def magic(line: str, cell: str, language: str = language) -> None:
            _cell(shell, language, line, cell)

        magic.__doc__ = _parser(language).format_help()
        shell.register_magic_function(magic, "cell", language)
