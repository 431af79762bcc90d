"""What pages show is what happens: blocks of Python run one after the other, and a block of text behind one is what it prints."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md"])
def test_page(page, monkeypatch):
    monkeypatch.setenv("BROOK_DEVICE", "openmp")
    blocks = re.findall(r"^```(\w+)[^\n]*\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {"__name__": page}
    ran = 0
    for index, (language, text) in enumerate(blocks):
        if language != "python":
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, f"{page}, block {index + 1}", "exec"), names)
        ran += 1
        if index + 1 < len(blocks) and blocks[index + 1][0] == "text":
            assert out.getvalue() == blocks[index + 1][1]
    assert ran


def test_docstrings():
    import doctest

    import brook
    from brook import _functions

    for module in (brook, _functions):
        failed, attempted = doctest.testmod(module, verbose=False)
        assert attempted and not failed
