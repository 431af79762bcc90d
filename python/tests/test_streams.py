"""Brook+: kernels as functions over streams and arrays."""

from __future__ import annotations

import brook
import numpy as np
import pytest

SOURCE = """
kernel void square(float x<>, out float y<>) { y = x * x; }
kernel void scale(float4 x<>, float f, out float4 y<>) { y = float4(f, f, f, f) * x; }
kernel void blur(float x[][], out float y<>) {
    int2 at = instance().xy;
    y = 0.25f * (x[at.y - 1][at.x] + x[at.y + 1][at.x] + x[at.y][at.x - 1] + x[at.y][at.x + 1]);
}
kernel void weigh(float x<>, float w[3], out float y<>) { y = w[0] + w[1] * x + w[2] * x * x; }
kernel void split(float x<>, out float low<>, out float high<>) { low = floor(x); high = x - floor(x); }
reduce void sum(float x<>, reduce float total<>) { total += x; }
reduce void largest(float2 x<>, reduce float2 most<>) { most = max(most, x); }
kernel void put(float x<>, float index<>, out float y[]) { y[index] = x; }
"""


@pytest.fixture(scope="module")
def program(device):
    return device.build_source(SOURCE, language="brook")


def test_maps(device, program):
    host = np.arange(12, dtype=np.float32).reshape(3, 4)
    x, y = device.stream_of(host), device.stream((3, 4))
    assert program.square(x, y) is None
    assert np.array_equal(y.to_numpy(), host * host)
    z = program.square(y)
    assert isinstance(z, brook.Stream) and z.shape == (3, 4) and np.array_equal(np.asarray(z), host**4)
    array = device.array(host)
    made = program.square(array)
    assert isinstance(made, brook.Array) and np.array_equal(made.to_numpy(), host * host)
    program.square(array, array)
    assert np.array_equal(array.to_numpy(), host * host)


def test_numpy_on_the_processor(host):
    program = host.build_source(SOURCE, language="brook")
    x = np.arange(6, dtype=np.float32)
    y = program.square(x)
    assert isinstance(y, np.ndarray) and np.array_equal(y, x * x)
    low, high = program.split(x / 4)
    assert np.array_equal(low, np.floor(x / 4)) and np.array_equal(high, x / 4 - np.floor(x / 4))
    out = np.zeros(6, np.float32)
    program.square(x, out)
    assert np.array_equal(out, x * x)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read only"):
        program.square(x, out)


def test_vectors_and_values(device, program):
    host = np.arange(24, dtype=np.float32).reshape(6, 4)
    x = device.stream_of(host, "float4")
    assert x.shape == (6,) and x.element == "float4"
    assert np.array_equal(program.scale(x, 0.5).to_numpy(), host / 2)
    made = program.scale(device.array(host), np.float32(2))
    assert made.shape == (6, 4) and np.array_equal(made.to_numpy(), host * 2)
    with pytest.raises(ValueError, match=r"'x'.*\(…, 4\)"):
        program.scale(device.zeros((4, 6)), 1.0)
    with pytest.raises(TypeError, match="'f'.*float"):
        program.scale(x, x)


def test_gathers(device, program):
    host = np.random.default_rng(1).random((5, 7), dtype=np.float32)
    y = device.stream((5, 7))
    program.blur(device.stream_of(host), y)
    p = np.pad(host, 1, mode="edge")
    expected = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    assert np.allclose(y.to_numpy(), expected, rtol=1e-6)
    with pytest.raises(TypeError, match="'y'.*has to be given"):
        program.blur(device.stream_of(host))


def test_constant_arrays(device, program):
    x = device.stream_of(np.arange(4, dtype=np.float32))
    for weights in ([1, 2, 3], (1.0, 2.0, 3.0), np.array([1, 2, 3])):
        assert program.weigh(x, weights).to_numpy().tolist() == [1, 6, 17, 34]
    with pytest.raises(ValueError):
        program.weigh(x, [1, 2])


def test_reductions(device, program):
    host = np.arange(24, dtype=np.float32).reshape(4, 6)
    x = device.stream_of(host)
    total = program.sum(x)
    assert isinstance(total, np.float32) and total == host.sum()
    rows = device.stream((4, 1))
    program.sum(x, rows)
    assert np.array_equal(rows.to_numpy()[:, 0], host.sum(axis=1))
    pairs = np.array([[1, 9], [5, 2], [3, 3]], np.float32)
    assert program.largest(device.stream_of(pairs, "float2")).tolist() == [5, 9]
    with pytest.raises(ValueError):
        program.sum(x, device.stream((3, 5)))


def test_scatters(device, program):
    x, index = device.stream_of(np.arange(4, dtype=np.float32)), device.stream_of(np.array([3, 1, 0, 2], np.float32))
    y = device.stream(4)
    program.put(x, index, y)
    assert y.to_numpy().tolist() == [2, 1, 3, 0]


def test_parts_and_domains(device, program):
    host = np.arange(24, dtype=np.float32).reshape(4, 6)
    x, y = device.stream_of(host), device.stream((4, 6))
    part = y[1:3, 2:5]
    assert part.shape == (2, 3)
    program.square(x[0:2, 0:3], part)
    expected = np.zeros((4, 6), np.float32)
    expected[1:3, 2:5] = host[0:2, 0:3] ** 2
    assert np.array_equal(y.to_numpy(), expected) and np.array_equal(part.to_numpy(), expected[1:3, 2:5])
    y.copy_from(np.zeros((4, 6), np.float32))
    program.square(x, y, domain=(slice(1, 3), slice(2, 5)))
    expected[:] = 0
    expected[1:3, 2:5] = host[1:3, 2:5] ** 2
    assert np.array_equal(y.to_numpy(), expected)
    for wrong, error in [(3, TypeError), (slice(3, 1), ValueError), ((slice(0, 9), slice(0, 2)), ValueError), (slice(0, 4, 2), TypeError)]:
        with pytest.raises(error):
            program.square(x, y, domain=wrong)
    for wrong, error in [(3, TypeError), (slice(0, 4, 2), IndexError), ((slice(0, 1),) * 3, IndexError)]:
        with pytest.raises(error):
            x[wrong]


def test_copies(device):
    x = device.stream((2, 3), "int")
    x.copy_from(np.arange(6, dtype=np.int32).reshape(2, 3))
    y = device.stream((2, 3), np.int32)
    y.copy_from(x)
    assert np.array_equal(y.to_numpy(), x.to_numpy()) and y.to_numpy().sum() == 15 and y.nbytes == 24
    with pytest.raises(TypeError, match="int<2, 3>.*float32"):
        x.copy_from(np.zeros((2, 3), np.float32))
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        x.copy_from(np.zeros((3, 2), np.int32))
    for wrong in [("nothing",), ("void",)]:
        with pytest.raises((TypeError, ValueError)):
            device.stream((2, 3), *wrong)
    for shape in [(), (0,), (1, 2, 3, 4, 5), 2**33]:
        with pytest.raises(ValueError):
            device.stream(shape)


def test_wrong_calls(device, host, program):
    x = device.stream(4)
    with pytest.raises(TypeError, match=r"takes 2 arguments \(x, y\)"):
        program.square()
    with pytest.raises(TypeError, match="'x'.*stream of float"):
        program.square(1.0)
    with pytest.raises(TypeError, match="'x'.*float64"):
        program.square(device.zeros(4, np.float64))
    with pytest.raises(TypeError, match="takes no queue"):
        program.square(x, queue=device.queue())
    with pytest.raises(ValueError):
        program.square(device.zeros(()))
    with pytest.raises(ValueError, match="float"):
        program.square(device.stream(4, "int"), x)
    if device != host:
        with pytest.raises(ValueError, match="openmp:0"):
            program.square(host.stream(4), x)
        with pytest.raises(TypeError, match="host's memory"):
            program.square(np.zeros(4, np.float32))


def test_diagnostics_of_brook():
    with pytest.raises(brook.CompileError) as caught:
        brook.Device("openmp").build_source("kernel void f(float x<>, out float y<>) { y = x + 1; }", name="f.br")
    (first,) = caught.value.diagnostics[:1]
    assert first.code.startswith("BRK") and first.path == "f.br" and "^" in first.rendered


def test_kernels_of_strings(device):
    @brook.kernel
    def cube():
        """kernel void cube(float x<>, out float y<>) { y = x * x * x; }"""

    assert cube(device.stream_of(np.array([1, 2], np.float32))).to_numpy().tolist() == [1, 8]
    both = brook.kernel("kernel void one(float x<>, out float y<>) { y = x + 1.0f; } kernel void two(float x<>, out float y<>) { y = x + 2.0f; }")
    assert both.two(device.stream(2)).to_numpy().tolist() == [2, 2]
    with pytest.raises(ValueError, match="2 kernels"):
        both(device.stream(2))

    @brook.kernel(BLOCK=64)
    def okl():
        return """@kernel void fill(const int n, float *x) { for (int i = 0; i < n; ++i; @tile(BLOCK, @outer, @inner)) x[i] = BLOCK; }"""

    x = device.zeros(5)
    okl(5, x)
    assert (x.to_numpy() == 64).all()
    with pytest.raises(TypeError, match="no source"):
        brook.kernel(lambda: 1)
    with pytest.raises(TypeError):
        brook.kernel(1)


def test_modules(device, tmp_path):
    path = tmp_path / "filter.br"
    path.write_text(SOURCE)
    for module in (brook.load(path), brook.load(path, device=device)):
        assert np.array_equal(module.square(device.array(np.arange(3, dtype=np.float32))).to_numpy(), [0, 1, 4])
        assert module.sum(device.stream_of(np.ones(5, np.float32))) == 5
    path.write_text("kernel void f(float x<>, out float y<>) { y = x + 1; }")
    with pytest.raises(brook.CompileError) as caught:
        brook.load(path)
    assert caught.value.diagnostics[0].path == str(path)
    with pytest.raises(FileNotFoundError):
        brook.load(tmp_path / "nowhere.br")
