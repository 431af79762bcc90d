"""Kernels as HTML, for notebooks."""

from __future__ import annotations

import html
import itertools

from ._brook import CompileError, Kernel, backends

__all__ = ["Page", "show", "summary"]

_numbers = itertools.count()

_STYLE = """
.brook { font-family: sans-serif; } .brook pre { margin: 0; padding: .5em; overflow: auto; max-height: 32em; font-size: 12px; line-height: 1.35;
  background: rgba(128, 128, 128, .08); }
.brook-two { display: grid; grid-template-columns: 1fr 1fr; gap: .5em; } .brook-tab { display: none; }
.brook input { display: none; } .brook label { padding: .2em .6em; cursor: pointer; border-bottom: 2px solid transparent; }
.brook input:checked + label { border-bottom-color: currentColor; font-weight: bold; }
"""


class Page:
    """Text that a notebook shows as HTML."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _repr_html_(self) -> str:
        return self.text


def show(kernel: Kernel) -> Page:
    """A kernel's source beside what it becomes for each backend; a backend that it cannot be translated for says why."""
    number = next(_numbers)
    tabs: list[str] = []
    texts: list[str] = []
    rules: list[str] = []
    names = sorted(backends(), key=lambda name: (name != kernel.device.backend, name))
    for index, name in enumerate(names):
        try:
            text = kernel.source(name)
        except CompileError as error:
            text = str(error)
        ident = f"brook-{number}-{index}"
        checked = " checked" if index == 0 else ""
        tabs.append(f'<input type="radio" name="brook-{number}" id="{ident}"{checked}><label for="{ident}">{html.escape(name)}</label>')
        texts.append(f'<div class="brook-tab brook-tab-{index}"><pre>{html.escape(text)}</pre></div>')
        rules.append(f"#brook-{number}:has(#{ident}:checked) .brook-tab-{index} {{ display: block; }}")
    return Page(
        f'<style>{_STYLE}{" ".join(rules)}</style><div class="brook" id="brook-{number}"><div>{"".join(tabs)}</div>'
        f'<div class="brook-two"><pre>{html.escape(kernel.text.strip())}</pre><div>{"".join(texts)}</div></div></div>'
    )


def summary(kernel: Kernel) -> str:
    """A kernel in a few lines."""
    return f"<pre>{html.escape(kernel.explain())}</pre>"
