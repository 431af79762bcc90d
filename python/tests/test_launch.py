"""Kernels of OKL, and what they are given."""

from __future__ import annotations

import gc
import inspect

import brook
import numpy as np
import pytest
from conftest import SAXPY


def test_saxpy(device, saxpy):
    x, y = device.array(np.arange(1000, dtype=np.float32)), device.zeros(1000)
    assert saxpy(x.size, 2.0, x, y) is None
    assert np.array_equal(y.to_numpy(), 2 * np.arange(1000, dtype=np.float32))
    saxpy(10, np.float32(0.5), x[10:20], y[:10])
    assert np.array_equal(y.to_numpy()[:10], 2 * np.arange(10) + 0.5 * np.arange(10, 20))


def test_numpy_on_the_processor_is_used_as_it_is(host):
    saxpy = host.build_source(SAXPY).saxpy
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    saxpy(100, 3, x, y)
    assert np.array_equal(y, 1 + 3 * x)
    saxpy(50, 3, x[50:], y[:50])
    assert np.array_equal(y[:50], 1 + 3 * x[:50] + 3 * x[50:])
    x.flags.writeable = False
    saxpy(100, 0, x, y)
    with pytest.raises(ValueError, match="'y'.*read only"):
        saxpy(100, 0, y, x)


def test_numpy_elsewhere_is_an_error_that_says_how(device, saxpy):
    x = np.zeros(4, np.float32)
    if device.backend == "openmp":
        saxpy(4, 1.0, x, x)
        return
    with pytest.raises(TypeError, match=r"'x'.*host's memory.*device\.array\(x\)"):
        saxpy(4, 1.0, x, x)


@pytest.mark.parametrize("given, error, words", [
    ((1, 2.0), TypeError, r"takes 4 arguments \(n, a, x, y\); got 2"),
    ((1.5, 2.0, "x", "y"), TypeError, "argument 1 'n'.*float 1.5"),
    (("1", 2.0, "x", "y"), TypeError, "argument 1 'n'.*str '1'"),
    ((2**31, 2.0, "x", "y"), ValueError, "'n'.*cannot hold 2147483648"),
    ((-(2**31) - 1, 2.0, "x", "y"), ValueError, "cannot hold"),
    ((2**70, 2.0, "x", "y"), ValueError, "cannot hold"),
    ((None, 2.0, "x", "y"), TypeError, "argument 1 'n'"),
    ((4, "2", "x", "y"), TypeError, "argument 2 'a'"),
    ((4, 1j, "x", "y"), TypeError, "argument 2 'a'"),
    ((4, np.ones(1), "x", "y"), TypeError, "argument 2 'a'"),
    ((4, 2.0, 3.0, "y"), TypeError, "argument 3 'x'.*array of float32"),
    ((4, 2.0, "doubles", "y"), TypeError, "argument 3 'x'.*float32.*float64"),
    ((4, 2.0, [1, 2, 3, 4], "y"), TypeError, "argument 3 'x'.*list"),
])
def test_wrong_arguments(device, saxpy, given, error, words):
    arrays = {"x": device.zeros(4), "y": device.zeros(4), "doubles": device.zeros(4, np.float64)}
    given = [arrays.get(g, g) if isinstance(g, str) else g for g in given]
    with pytest.raises(error, match=words):
        saxpy(*given)


def test_wrong_device_and_keywords(device, host, saxpy):
    x = device.zeros(4)
    with pytest.raises(TypeError):
        saxpy(4, 1.0, x, x, nobody=1)
    with pytest.raises(TypeError, match="only kernels of Brook"):
        saxpy(4, 1.0, x, x, domain=slice(0, 2))
    if device != host:
        with pytest.raises(ValueError, match="memory of device openmp:0"):
            saxpy(4, 1.0, host.zeros(4), x)
        with pytest.raises(ValueError, match="queue is of openmp:0"):
            saxpy(4, 1.0, x, x, queue=host.queue())


def test_no_array_at_all(device):
    maybe = device.build_source("""
    @kernel void maybe(const int n, const float *x, float *y) {
      for (int i = 0; i < 32; ++i; @tile(32, @outer, @inner)) if (i < 4) y[i] = (n > 0) ? x[i] : -1;
    }""").maybe
    y = device.zeros(4)
    maybe(0, None, y)
    assert y.to_numpy().tolist() == [-1] * 4


NUMBERS = {"char": np.int8, "unsigned char": np.uint8, "short": np.int16, "unsigned short": np.uint16, "int": np.int32,
           "unsigned int": np.uint32, "long": np.int64, "unsigned long": np.uint64, "float": np.float32, "double": np.float64}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(device, name):
    store = device.build_source(f"""
    @kernel void store(const {name} v, {name} *out) {{
      for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) out[i + j] = v;
    }}""").store
    dtype = np.dtype(NUMBERS[name])
    out = device.zeros(1, dtype)
    if dtype.kind == "f":
        values = [0, 1.5, -2, np.float32(3.25), np.float64(-0.5), np.int16(7), np.array(2.5), True, float("inf")]
    else:
        limits = np.iinfo(dtype)
        values = [0, 1, int(limits.max), int(limits.min), np.int8(5), np.uint64(7), True, np.array(3)]
        for wrong in (int(limits.max) + 1, int(limits.min) - 1):
            with pytest.raises(ValueError, match="cannot hold"):
                store(wrong, out)
        with pytest.raises(TypeError):
            store(1.0, out)
    for value in values:
        store(value, out)
        assert out.to_numpy()[0] == dtype.type(value)


def test_bool(device):
    store = device.build_source("""
    @kernel void store(const bool v, int *out) {
      for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) out[i + j] = v ? 5 : 6;
    }""").store
    out = device.zeros(1, np.int32)
    for value, expected in [(True, 5), (False, 6), (np.True_, 5), (np.False_, 6), (1, 5), (0, 6)]:
        store(value, out)
        assert out.to_numpy()[0] == expected
    for wrong, error in [(2, ValueError), ("x", TypeError), (0.5, TypeError)]:
        with pytest.raises(error):
            store(wrong, out)


def test_vectors(device):
    program = device.build_source("""
    @kernel void scale(const int n, const float4 s, const float4 *x, float4 *y) {
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
        float4 v = x[i];
        v.x *= s.x; v.y *= s.y; v.z *= s.z; v.w *= s.w;
        y[i] = v;
      }
    }""")
    host = np.arange(40, dtype=np.float32).reshape(10, 4)
    x, y = device.array(host), device.zeros((10, 4))
    factors = np.array([1, 2, 3, 4], np.float32)
    for given in (factors, [1, 2, 3, 4], (1.0, 2, 3, 4)):
        program.scale(10, given, x, y)
        assert np.array_equal(y.to_numpy(), host * factors)
    with pytest.raises(ValueError, match=r"'x'.*shape \(…, 4\)"):
        program.scale(10, factors, x.reshape(8, 5), y)
    with pytest.raises(TypeError, match="'s'.*4 numbers"):
        program.scale(10, [1, 2, 3], x, y)
    with pytest.raises(TypeError, match="'s'"):
        program.scale(10, 5.0, x, y)


PARTICLES = """
typedef struct { float position[3]; float mass; int id; } Particle;
@kernel void drift(const int n, const float dt, const Particle first, Particle *p) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
    p[i].position[0] += dt * first.mass;
    p[i].id = first.id + i;
  }
}
"""


def test_structures(device):
    drift = device.build_source(PARTICLES).drift
    dtype = np.dtype([("position", "f4", 3), ("mass", "f4"), ("id", "i4")])
    first = np.zeros((), dtype)
    first["mass"], first["id"] = 2, 100
    particles = device.array(np.zeros(7, dtype))
    drift(7, 0.5, first[()], particles)
    drift(7, 0.5, first, particles)
    found = particles.to_numpy()
    assert (found["position"][:, 0] == 2).all() and found["id"].tolist() == list(range(100, 107))
    other = np.dtype([("position", "f4", 3), ("mass", "i4"), ("id", "i4")])
    with pytest.raises(TypeError, match="'p'.*int32 at 12"):
        drift(7, 0.5, first, device.array(np.zeros(7, other)))
    with pytest.raises(TypeError, match="'p'.*20 bytes"):
        drift(7, 0.5, first, device.array(np.zeros(7, dtype=[("a", "f4")])))
    with pytest.raises(TypeError, match="'first'.*20 bytes"):
        drift(7, 0.5, 1.0, particles)
    with pytest.raises(TypeError, match="'p'"):
        drift(7, 0.5, first, device.zeros(35))


def test_templates(device):
    program = device.build_source("""
    template <typename T, int N = 1>
    @kernel void scale(const int n, const T a, T *x) {
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) x[i] *= a * N;
    }""")
    scale = program.scale
    assert scale.template == ("T", "N")
    for dtype in (np.float32, np.float64, np.int32):
        x = device.array(np.arange(5).astype(dtype))
        scale(5, 3, x)
        assert x.to_numpy().tolist() == [0, 3, 6, 9, 12]
    four = scale.instantiate(N=4)
    x = device.array(np.arange(5, dtype=np.float32))
    four(5, 0.5, x)
    assert x.to_numpy().tolist() == [0, 2, 4, 6, 8]
    typed = scale.instantiate(T=np.float64, N=2)
    x = device.array(np.ones(2))
    typed(2, 1.5, x)
    assert x.to_numpy().tolist() == [3, 3]
    program["scale<double, 3>"](2, 1.0, x)
    assert x.to_numpy().tolist() == [9, 9]
    with pytest.raises(ValueError, match="no such|no parameter|X"):
        scale.instantiate(X=1)


def test_programs(device):
    program = device.build_source(SAXPY + "@kernel void device_(float *x) { for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i] = 1; }")
    assert program.kernels == ("saxpy", "device_") and list(program) == ["saxpy", "device_"] and len(program) == 2
    assert "saxpy" in program and "nobody" not in program and "saxpy" in dir(program)
    assert program.saxpy is program.saxpy and program["saxpy"] is program.saxpy and program.device == device
    with pytest.raises(AttributeError, match="did you mean 'saxpy'|saxpi.*saxpy"):
        program.saxpi
    with pytest.raises(KeyError):
        program["nobody"]
    kernel = program.saxpy
    assert list(inspect.signature(kernel).parameters) == ["n", "a", "x", "y"]
    assert [(p.name, p.role, p.type, p.is_const, p.dtype) for p in kernel.parameters] == [
        ("n", "value", "int", True, "int32"), ("a", "value", "float", True, "float32"),
        ("x", "pointer", "float", True, "float32"), ("y", "pointer", "float", False, "float32")]
    assert "__global__" in kernel.source("cuda") and "__kernel" in kernel.source("opencl")
    assert kernel.source() == kernel.source(device.backend)
    with pytest.raises(ValueError, match="there is no backend 'metall'"):
        kernel.source("metall")
    assert "groups of 256 items" in kernel.explain() and "saxpy" in kernel.explain()


def test_options(device, tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "factor.h").write_text("#define FACTOR 3\n")
    path = tmp_path / "scale.okl"
    path.write_text("""
    #include "factor.h"
    @kernel void scale(const int n, T *x) {
      for (int i = 0; i < n; ++i; @tile(BLOCK, @outer, @inner)) x[i] *= FACTOR * EXTRA + FLAG;
    }""")
    program = device.build(path, include=tmp_path / "include", BLOCK=64, T=np.float64, EXTRA=0.5, FLAG=True, cache=False, math="strict")
    assert not program.from_cache
    x = device.array(np.ones(10))
    program.scale(10, x)
    assert (x.to_numpy() == 2.5).all()
    for options, error in [({"math": "sloppy"}, ValueError), ({"BLOCK": [1]}, TypeError), ({"BLOCK": float("nan")}, ValueError), ({"include": 3}, TypeError),
                           ({"flags": 3}, TypeError), ({"cache": "no"}, TypeError)]:
        with pytest.raises(error):
            device.build(path, **options)
    with pytest.raises(FileNotFoundError, match="nowhere.okl"):
        device.build(tmp_path / "nowhere.okl")


def test_queues_and_events(device, saxpy):
    first, second = device.queue(), device.queue()
    x, y = device.array(np.ones(4096, np.float32)), device.zeros(4096)
    start = first.record()
    for _ in range(10):
        saxpy(4096, 1.0, x, y, queue=first)
    event = first.record()
    second.wait_for(event)
    saxpy(4096, 1.0, y, x, queue=second)
    second.wait()
    event.wait()
    assert event.done and first.done and event.seconds_since(start) >= 0
    assert (y.to_numpy() == 10).all() and (x.to_numpy() == 11).all()
    with device.queue() as queue:
        saxpy(4096, 1.0, x, y, queue=queue)
    assert (y.to_numpy() == 21).all()


def test_numpy_lives_as_long_as_a_queue_needs_it(host):
    saxpy = host.build_source(SAXPY).saxpy
    y = np.zeros(1 << 20, np.float32)
    with host.queue() as queue:
        for _ in range(8):
            saxpy(y.size, 1.0, np.ones(y.size, np.float32), y, queue=queue)
            gc.collect()
    assert (y == 8).all()


def test_sequences(device, saxpy):
    x, y = device.array(np.ones(100, np.float32)), device.zeros(100)
    z = device.zeros(100)
    with device.record() as work:
        saxpy_twice = [work.launch(saxpy, 100, 1.0, x, y) for _ in range(2)]
        work.copy(z, y)
    assert saxpy_twice == [None, None] and (y.to_numpy() == 0).all()
    step = work.sequence
    assert len(step) == 3
    step()
    step()
    assert (z.to_numpy() == 4).all()
    with device.queue() as queue:
        step(queue=queue)
    assert (z.to_numpy() == 6).all()
    with pytest.raises(RuntimeError, match="ended"):
        work.launch(saxpy, 100, 1.0, x, y)
    with pytest.raises(RuntimeError, match="not ended"):
        device.record().sequence
    with pytest.raises(TypeError, match="'n'"), device.record() as work:
        work.launch(saxpy, "x", 1.0, x, y)
    with pytest.raises(ValueError, match="cannot be copied"), device.record() as work:
        work.copy(z, x[:5])


def test_sequences_of_brook(device, saxpy):
    program = device.build_source("""
    kernel void scale(float s, float x<>, float w[2], out float y<>) { y = s * x + w[1]; }
    kernel void left(float x[][], out float y<>) { int2 at = instance().xy; y = x[at.y][at.x - 1]; }
    reduce void sum(float x<>, reduce float total<>) { total += x; }
    """, language="brook")
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    x, y, z = device.stream_of(a), device.stream((3, 4)), device.stream((3, 4))
    w, rows, out = np.array([0, 1], np.float32), device.stream((3, 1)), device.array(np.zeros((3, 4), np.float32))
    with device.record() as work:
        work.launch(program.scale, 2.0, x, w, y)
        work.launch(program.left, y, z)
        work.launch(program.sum, z, rows)
        work.launch(program.scale, 1.0, x, w, out, domain=(slice(0, 2), slice(1, 3)))
        work.launch(saxpy, 12, 1.0, out, out)
        # It was copied when it was recorded.
        w[1] = 100
    work.sequence()
    shifted = (2 * a + 1)[:, [0, 0, 1, 2]]
    assert np.array_equal(z.to_numpy(), shifted)
    assert np.array_equal(rows.to_numpy(), shifted.sum(1, keepdims=True))
    part = np.zeros((3, 4), np.float32)
    part[0:2, 1:3] = (a + 1)[0:2, 1:3]
    assert np.array_equal(out.to_numpy(), 2 * part)
    x.copy_from(a + 1)
    work.sequence()
    assert np.array_equal(z.to_numpy(), (2 * a + 3)[:, [0, 0, 1, 2]])
    with pytest.raises(TypeError, match="names all of them"), device.record() as work:
        work.launch(program.scale, 2.0, x, w)
    with pytest.raises(TypeError, match="'s'"), device.record() as work:
        work.launch(program.scale, "2", x, w, y)
    with pytest.raises(TypeError, match="domain"), device.record() as work:
        work.launch(saxpy, 12, 1.0, out, out, domain=slice(0, 2))
    with pytest.raises(ValueError, match="rank"), device.record() as work:
        work.launch(program.scale, 2.0, x, w, device.stream(5))


EXTENTS = """
const int K = 2;
@kernel void fill(const int n, const int m, float *a @dim(n, m), float4 *v @dim(K, n + 1), float *t @dim(n, m) @dimOrder(1, 0)) {
  for (int j = 0; j < m; ++j; @outer) for (int i = 0; i < n; ++i; @inner) {
    a(i, j) = i + 10 * j;
    t(i, j) = i + 10 * j;
    if (j == 0 && i == 0) v(1, n).w = 4;
  }
}
"""


def test_shapes_are_checked_against_extents(device):
    fill = device.build_source(EXTENTS).fill
    n, m = 3, 4

    def arrays(a=(m, n), v=(n + 1, 2, 4), t=(n, m)):
        return device.zeros(a), device.zeros(v), device.zeros(t)

    a, v, t = arrays()
    fill(n, m, a, v, t)
    right = np.arange(n)[None, :] + 10 * np.arange(m)[:, None]
    assert np.array_equal(a.to_numpy(), right) and np.array_equal(t.to_numpy(), right.T)
    assert v.to_numpy()[n, 1].tolist() == [0, 0, 0, 4]
    # More along the slowest, and any shape of another number of dimensions with room for all.
    fill(n, m, *arrays(a=(m + 2, n), v=(2 * (n + 1), 4), t=(n * m + 1,)))
    fill(n, m, a, v, device.zeros((1, n, m)))
    for wrong in ({"a": (n, m)}, {"a": (m, n + 1)}, {"a": (m - 1, n)}, {"a": (n * m - 1,)}, {"v": (n, 2, 4)}, {"v": (2 * n + 1, 4)}, {"t": (m, n)}):
        with pytest.raises(ValueError, match=r"argument \d '[avt]' of kernel 'fill' has extents \(@dim\)"):
            fill(n, m, *arrays(**wrong))
    with pytest.raises(ValueError, match=r"make its shape \(4, 3\), slowest first; got shape \(3, 4\)"):
        fill(n, m, *arrays(a=(n, m)))
    if device.backend == "openmp":
        with pytest.raises(ValueError, match="extents"):
            fill(n, m, np.zeros((n, m), np.float32), v, t)
        fill(n, m, np.zeros((m, n), np.float32), v, t)


def test_extents_that_nobody_knows_are_not_checked(device):
    f = device.build_source("""
    @kernel void f(int n, const int *sizes, float *a @dim(n, n)) {
      n = 2;
      for (int i = 0; i < 2; ++i; @outer) for (int j = 0; j < 2; ++j; @inner) a(j, i) = 1;
    }""").f
    a = device.zeros((2, 2))
    f(5, device.zeros(1, "i4"), a)
    assert (a.to_numpy() == 1).all()
