"""The stubs say what the package is, and programs are checked by them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy():
    pytest.importorskip("mypy", reason="mypy is not installed: the stubs were not checked by it")
    run("mypy", "--strict", "package/brook", "tests/typed.py")


def test_stubs_are_what_the_module_has():
    pytest.importorskip("mypy", reason="mypy is not installed: the stubs were not compared")
    run("mypy.stubtest", "brook._brook", "--allowlist", "tests/stubtest.txt")


def test_pyright():
    pytest.importorskip("pyright", reason="pyright is not installed: the stubs were not checked by it")
    run("pyright", "--pythonpath", sys.executable)
