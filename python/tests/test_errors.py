"""What is wrong with sources, as exceptions with all that is known."""

from __future__ import annotations

import brook
import pytest

WRONG = "@kernel void f(const int n, float *x) {\n  for (int i = 0; i < n; ++i; @outer) {\n    x[i] = 1\n  }\n}\n"


def test_diagnostics(device):
    with pytest.raises(brook.CompileError) as caught:
        device.build_source(WRONG, name="wrong.okl")
    error = caught.value
    assert isinstance(error, brook.Error) and len(error.diagnostics) >= 1
    first = error.diagnostics[0]
    assert (first.severity, first.path, first.line, first.column) == ("error", "wrong.okl", 3, 13)
    begin, end = first.span
    assert WRONG.encode()[:begin].count(b"\n") == 2 and end >= begin
    assert first.code in str(error) and "^" in first.rendered and "x[i] = 1" in first.rendered
    assert first.message in str(error) and first.code in brook.explain(first.code)
    assert str(first) == first.rendered and first.code in repr(first)


def test_every_error_is_there():
    found = brook.check("@kernel void f(int *x) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) x[i] = first() + second(); }")
    assert [d.severity for d in found] == ["error", "error"] and "first" in found[0].message and "second" in found[1].message
    assert brook.check("@kernel void f(int *x) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) x[i] = j; }") == ()


def test_devices_that_there_are_not():
    for name in ("nothing:0", "openmp:77", "", "cuda:-1", "open mp"):
        with pytest.raises(brook.DeviceError):
            brook.Device(name)
    with pytest.raises(TypeError):
        brook.Device(3)


def test_the_devices_own_compiler(device):
    with pytest.raises(brook.Error) as caught:
        device.build_source('@kernel void f(int *x) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) x[i] = j; }',
                            flags=["--no-such-flag-as-this"], cache=False)
    assert str(caught.value)


def test_names(device):
    info = device.info
    assert info.name == device.name and info.compiler and info.units > 0 and info.kind in ("cpu", "gpu")
    assert brook.Device(device.name) == device and hash(brook.Device(device.name)) == hash(device)
    assert eval(repr(device)) == device
    listed = brook.devices()
    assert device.name in [d.name for d in listed]
    assert all(d.problem for d in listed if d.compiler is None)
