"""The notebooks run to their end, with what they assert; and their magics."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import DEVICES, library

FOLDER = Path(__file__).parents[1] / "notebooks"


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.ipynb")))
@pytest.mark.filterwarnings("ignore")
def test_notebook(name, monkeypatch):
    nbclient, nbformat = library("nbclient"), library("nbformat")
    if "torch" in name:
        library("torch")
    monkeypatch.setenv("BROOK_DEVICE", DEVICES[0])
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(FOLDER / name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": FOLDER}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    if name.startswith(("2", "3", "5")):
        assert any("image/png" in output.get("data", {}) for cell in cells for output in cell.outputs)


@pytest.mark.filterwarnings("ignore")
def test_magics(capsys):
    library("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "brook")
    text = "@kernel void fill(const int n, float *x) { for (int i = 0; i < n; ++i; @tile(BLOCK, @outer, @inner)) x[i] = VALUE; }"
    device = DEVICES[0]
    shell.run_cell_magic("okl", f"-d {device} -D BLOCK=32 -D VALUE=7 -p whole -v", text)
    out = capsys.readouterr().out
    assert device in out and "kernel fill" in out and ("built in" in out or "from the kernel cache" in out)
    fill = shell.user_ns["fill"]
    x = fill.device.zeros(5)
    fill(5, x)
    assert (x.to_numpy() == 7).all() and shell.user_ns["whole"].fill is fill
    page = fill.show()._repr_html_()
    assert "__global__" in page and "cuda" in page and "@tile" in page and "&lt;" in page
    assert "kernel fill" in fill._repr_html_()
    shell.run_cell_magic("brook", f"-d {device}", "kernel void twice(float x<>, out float y<>) { y = x + x; }")
    assert (shell.user_ns["twice"](x).to_numpy() == 14).all()
    result = shell.run_cell(f"%%okl -d {device}\n@kernel void wrong(float *x) {{ oops }}\n")
    shown = capsys.readouterr()
    assert not result.success and "cell.okl:1:" in shown.err and "^" in shown.err and "Traceback" not in shown.out + shown.err
    assert shell.user_ns["_brook_error"].diagnostics[0].path == "cell.okl"
    result = shell.run_cell("%%okl --nonsense\n@kernel void f(float *x) {}\n")
    assert not result.success


def test_long_builds_say_that_they_go_on(capsys):
    import time

    from brook.magics import _Progress

    with _Progress("at once"):
        pass
    assert capsys.readouterr().err == ""
    with _Progress("for long"):
        time.sleep(1.3)
    told = capsys.readouterr().err
    assert "building for long: 1 s" in told and told.endswith("done\n")
