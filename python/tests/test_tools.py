"""Translation without a device, and kernels compared on all of them."""

from __future__ import annotations

import brook
import brook.testing
import numpy as np
import pytest
from conftest import DEVICES, SAXPY


def test_transpile():
    assert set(brook.backends()) >= {"cuda", "hip", "opencl", "openmp", "sycl", "metal"}
    for backend, word in [("cuda", "__global__"), ("opencl", "__kernel"), ("metal", "kernel void"), ("openmp", "omp")]:
        made = brook.transpile(SAXPY, backend)
        assert word in made.device and made.backend == backend and made.warnings == () and str(made) == made.device
        assert made.metadata["kernels"][0]["name"] == "saxpy"
    assert brook.transpile(SAXPY, "cuda").launcher
    with pytest.raises(ValueError, match="nothing"):
        brook.transpile(SAXPY, "nothing")
    with pytest.raises(brook.CompileError):
        brook.transpile("@kernel void f(", "cuda")
    with pytest.raises(ValueError, match="language"):
        brook.transpile(SAXPY, "cuda", language="fortran")
    assert "17 *" in brook.transpile(SAXPY.replace("a * x", "FACTOR * x"), "cuda", FACTOR=17).device


def test_normalize():
    made = brook.normalize("@kernel void f(@restrict float *x);")
    assert "[[okl_kernel" in made and "@" not in made
    assert "brook_kernel" in brook.normalize("kernel void f(float x<>);", language="brook")
    with pytest.raises(brook.CompileError):
        brook.normalize("/* no end")


def test_explain():
    assert "SRC023" in brook.explain("SRC023")
    with pytest.raises(KeyError):
        brook.explain("OKL99999")


RACE = """
@kernel void race(const int n, float *x) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) x[i / 2] = i;
}
"""


def test_sanitize(device, saxpy):
    x, y = device.array(np.ones(100, np.float32)), device.zeros(100)
    assert brook.sanitize(saxpy, 100, 2.0, x, y) == ()
    assert (y.to_numpy() == 0).all()
    race = device.build_source(RACE).race
    found = brook.sanitize(race, 32, device.zeros(32))
    assert found and any("race" in d.message or "same" in d.message or "write" in d.message for d in found)
    beyond = brook.sanitize(saxpy, 101, 2.0, x, y)
    assert beyond and beyond[0].line == 3
    with pytest.raises(AssertionError):
        brook.testing.assert_clean(race, 32, device.zeros(32))
    brook.testing.assert_clean(saxpy, 100, 2.0, x, y)


def test_verify(device, saxpy):
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    found = brook.verify(saxpy, 100, 2.0, x, y, devices=DEVICES)
    assert found and found.reference == "interpreter" and found.devices == ["interpreter", *DEVICES]
    for results in found.results.values():
        assert results[0] is None and np.array_equal(results[3], 1 + 2 * x)
    assert (y == 1).all()
    brook.testing.assert_same_on_all_devices(saxpy, 100, 2.0, device.array(x), device.array(y), devices=DEVICES)


def test_verify_tells_what_differs(device):
    which = device.build_source("""
    @kernel void which(const int n, float *x) {
    #if OKL_DEVICE_IS_OTHER
    #endif
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) x[i] = i == 5 ? sinf(1e6f * i) : 0.5f;
    }""").which
    exact = brook.verify(which, 16, np.zeros(16, np.float32), devices=DEVICES[:1], interpret=False)
    assert exact and exact.reference == DEVICES[0]
    # A race gives whatever the order of items makes of it: the interpreter's own, and a device's.
    last = device.build_source("""
    @kernel void last(const int n, int *x) {
      for (int o = 0; o < 1; ++o; @outer) for (int i = 0; i < 64; ++i; @inner) { if (i == n) x[0] = i; else if (i == 3) x[1] = i; }
    }""").last
    right = brook.verify(last, 7, np.zeros(2, np.int32), devices=DEVICES[:1])
    assert right
    wrong = brook.Verification("interpreter")
    assert wrong and str(wrong)


def test_difference():
    from brook._verify import _difference

    a = np.array([1.0, 2.0, np.nan], np.float32)
    assert _difference("d", "x", a, a.copy(), 0, 0) is None
    b = np.array([1.0, 2.5, np.nan], np.float32)
    found = _difference("d", "x", a, b, 0, 0)
    assert found.count == 1 and found.index == (1,) and found.expected == 2 and found.got == 2.5 and "x[1]" in str(found)
    assert _difference("d", "x", a, b, 0.5, 0) is None
    assert _difference("d", "x", np.array([1, 2]), np.array([1, 3]), 0, 0).index == (1,)


def test_verify_streams(device):
    program = device.build_source("kernel void mix(float4 a<>, float w[2], out float4 b<>) { b = float4(w[0], w[0], w[0], w[0]) * a + float4(w[1], w[1], w[1], w[1]); }", language="brook")
    a, b = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((3, 4), np.float32)
    assert brook.verify(program.mix, a, np.array([2, 1], np.float32), b, devices=DEVICES, interpret=False)
