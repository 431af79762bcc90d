"""What somebody found who had not read the package: each was a wrong result, a crash, or a refusal that the page does not promise."""

import brook
import numpy as np
import pytest


def test_types_whose_size_nobody_knows(device):
    program = device.build_source("""
    struct alignas(16) Wide { float a; };
    struct Long { long double d; int i; };
    @kernel void wide(const int n, Wide *x) { for (int i = 0; i < n; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i].a = 1; }
    @kernel void longs(const int n, Long *x) { for (int i = 0; i < n; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i].i = 1; }
    """) if device.backend == "openmp" else None
    if program is None:
        pytest.skip("OpenCL C has no long double")
    x = np.zeros(16, np.float32)
    with pytest.raises(TypeError, match="not known|array of Wide"):
        program.wide(3, x[:3])
    assert not x.any()
    with pytest.raises(TypeError):
        program.longs(1, np.zeros(2, np.dtype("f8,i4", align=True)))
    raw = np.zeros(64, np.uint8)
    program.wide(3, raw)
    assert (raw.view(np.float32)[[0, 4, 8]] == 1).all()


def test_extents_of_templates(device):
    program = device.build_source("""
    template <typename T> @kernel void put(const int n, T *a @dim(n, 2)) {
      for (int i = 0; i < n; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) a(i, 1) = 7;
    }""")
    for dtype in (np.float32, np.int64):
        a = device.zeros((2, 3), dtype)
        program.put(3, a)
        assert a.to_numpy().tolist() == [[0, 0, 0], [7, 7, 7]]
        for put in (program.put, program.put.instantiate(T=dtype)):
            for shape in ((3, 2), (5,), (1,), (1, 3)):
                with pytest.raises(ValueError, match="extents"):
                    put(3, device.zeros(shape, dtype))
            put(3, device.zeros(6, dtype))
            with pytest.raises(ValueError, match="extents"), device.record() as work:
                work.launch(put, 3, device.zeros((3, 2), dtype))


def test_long_double(host):
    program = host.build_source("""
    @kernel void store(const int n, long double *h) { for (int i = 0; i < n; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) h[i] = 0; }
    @kernel void value(const long double v, float *h) { for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) h[i] = v; }
    """)
    x = np.ones(128)
    with pytest.raises(TypeError):
        program.store(64, x[:64])
    assert (x == 1).all()
    with pytest.raises(TypeError):
        program.value(1.5, np.zeros(1, np.float32))


def test_const_of_a_pointer_by_another_name(host):
    program = host.build_source("""
    typedef float *fp; typedef const float cf;
    @kernel void write(const fp x) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i] = 1; }
    @kernel void read(cf *x, const float y[], float *z) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) z[i] = x[i] + y[i]; }
    """)
    x, z = np.zeros(4, np.float32), np.zeros(4, np.float32)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read only"):
        program.write(x)
    program.read(x, x, z)


def test_brook_over_one_array_twice(device):
    program = device.build_source("""
    kernel void gather(float x[], out float o<>) { int4 i = instance(); o = x[i.x + 1] + 100.0f * x[i.x - 2]; }
    kernel void add(float x<>, float y<>, out float o<>) { o = x + 2.0f * y; }
    kernel void back(float x<>, int k, out float o[]) { o[k - instance().x] = x; }
    """, language="brook")
    n = 4096
    a = np.arange(n, dtype=np.float32)
    i = np.arange(n)
    right = a[np.minimum(i + 1, n - 1)] + 100 * a[np.maximum(i - 2, 0)]
    x = device.array(a)
    program.gather(x, x)
    assert np.array_equal(x.to_numpy(), right)
    x = device.array(a)
    program.add(x, x, x)
    assert np.array_equal(x.to_numpy(), 3 * a)
    x = device.array(a)
    program.back(x, n - 1, x)
    assert np.array_equal(x.to_numpy(), a[::-1])
    if device.backend == "openmp":
        x = a.copy()
        program.add(x[:-1], x[:-1], x[1:])
        assert np.array_equal(x[1:], 3 * a[:-1]) and x[0] == a[0]
        x = a.copy()
        program.gather(x, x)
        assert np.array_equal(x, right)
        x = np.arange(12, dtype=np.float32)
        program.add(x.reshape(3, 4), x.reshape(3, 4), x.reshape(3, 4))
        assert np.array_equal(x, 3 * np.arange(12))


def test_brook_over_slices_of_device_arrays(device):
    program = device.build_source("""
    kernel void gather(float x[], out float o<>) { int4 i = instance(); o = x[i.x + 1] + 100.0f * x[i.x - 2]; }
    kernel void up(float x[][], out float o<>) { int2 i = instance().xy; o = x[i.y + 1][i.x] + 100.0f * (float)i.y; }
    kernel void quads(float4 x<>, out float4 o<>) { o = x + x.wzyx; }
    reduce void sum(float x<>, reduce float total<>) { total += x; }
    """, language="brook")
    a = np.arange(40, dtype=np.float32)
    for first, last in ((1, 5), (3, 40), (0, 7), (39, 40), (17, 33)):
        x, o = device.array(a), device.zeros(40)
        program.gather(x[first:last], o[40 - (last - first):])
        part = a[first:last]
        i = np.arange(last - first)
        right = part[np.minimum(i + 1, len(i) - 1)] + 100 * part[np.maximum(i - 2, 0)]
        assert np.array_equal(o.to_numpy()[40 - len(i):], right) and not o.to_numpy()[:40 - len(i)].any()
        assert program.sum(x[first:last]) == part.sum()
        # In place, shifted by one.
        if last < 40:
            program.gather(x[first:last], x[first + 1:last + 1])
            expected = a.copy()
            expected[first + 1:last + 1] = right
            assert np.array_equal(x.to_numpy(), expected)
    b = a.reshape(8, 5)
    x, o = device.array(b), device.zeros((8, 5))
    program.up(x[2:5], o[1:4])
    right = np.zeros((8, 5), np.float32)
    right[1:4] = b[[3, 4, 4]] + 100 * np.arange(3)[:, None]
    assert np.array_equal(o.to_numpy(), right)
    q = a.reshape(10, 4)
    x, o = device.array(q), device.zeros((10, 4))
    program.quads(x[3:6], o[7:10])
    assert np.array_equal(o.to_numpy()[7:], q[3:6] + q[3:6, ::-1])


@pytest.mark.parametrize("name, wrong", [("char", 200), ("short", 40000), ("int", 2**31), ("int", 2**63), ("unsigned int", -1), ("int2", (1, 2**31)), ("short2", (40000, 1)), ("int", 1.5), ("int", np.float32(2))])
def test_values_of_brook_that_do_not_fit(device, name, wrong):
    f = device.build_source(f"kernel void f({name} v, float x<>, out float y<>) {{ y = x; }}", language="brook").f
    with pytest.raises((ValueError, TypeError), match="'v'"):
        f(wrong, device.stream(4), device.stream(4))


def test_unsigned_values(device):
    program = device.build_source("kernel void f(unsigned int v, float x<>, out float y<>) { y = x + (float)v; }", language="brook")
    y = device.stream(4)
    for one in (1, True, np.int64(1), np.uint8(1), 2**32 - 1):
        program.f(one, device.stream(4), y)
        assert (y.to_numpy() == np.float32(int(one))).all()
    store = device.build_source("@kernel void s(const uint4 v, unsigned int *o) { for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) { o[0] = v.x; o[1] = v.w; } }").s
    out = device.zeros(2, "u4")
    store((1, 2, 3, 2**32 - 1), out)
    assert out.to_numpy().tolist() == [1, 2**32 - 1]
    for wrong in ((1, 2, 3, 2**32), (1, 2, 3, -1), np.array([2**33, 2, 3, 4], "u8"), [2**63] * 4, [2**70] * 4, (1, 2, 3), (1, 2, 3, 4.5), "1234"):
        with pytest.raises((ValueError, TypeError), match="'v'"):
            store(wrong, out)


def test_arrays_of_brook_from_the_host(device):
    f = device.build_source("kernel void f(int w[3], float x<>, out float y<>) { y = x + (float)w[2]; }", language="brook").f
    y = device.stream(4)
    f([1, 2, 5], device.stream(4), y)
    assert (y.to_numpy() == 5).all()
    for wrong in ([1, 2, 2.7], np.array([1, 2, np.nan]), np.array([1, 2, 2**31]), [1, 2, 2**31], [1, 2, 3j], ["a", "b", "c"]):
        with pytest.raises((ValueError, TypeError), match="'w'"):
            f(wrong, device.stream(4), y)


def test_what_conversions_raise_is_told(device, saxpy):
    class Angry:
        def __index__(self):
            raise KeyError("so")

        def __float__(self):
            raise KeyError("so")

    x = device.zeros(4)
    with pytest.raises(KeyError, match="so"):
        saxpy(Angry(), 1.0, x, x)
    with pytest.raises(KeyError, match="so"):
        saxpy(4, Angry(), x, x)


def test_fill(device):
    x = device.zeros(3, "i4,f4")
    x.fill((1, 2.0))
    assert x.to_numpy().tolist() == [(1, 2.0)] * 3
    y = device.zeros((2, 3), np.int32)
    y.fill(7)
    assert (y.to_numpy() == 7).all()
    for wrong in (float("nan"), 1j, [1, 2, 3]):
        with pytest.raises((ValueError, TypeError)):
            y.fill(wrong)


def test_domains(device):
    f = device.build_source("kernel void f(float x<>, out float y<>) { y = x + 1.0f; }", language="brook").f
    x, right = device.stream((4, 5)), np.zeros((4, 5))

    def after(*domain):
        y = device.stream((4, 5))
        f(x, y, domain=domain)
        return y.to_numpy()

    for domain in ((slice(1, 3), slice(None)), (slice(-2, None), slice(1, -1)), (slice(None), slice(None)), (slice(0, 1, 1), slice(4, 5))):
        right = np.zeros((4, 5))
        right[domain] = 1
        assert np.array_equal(after(*domain), right)
    for wrong in ((slice(1, 2),), (), (slice(0, 1),) * 3, (slice(3, 1), slice(None)), (slice(0, 9), slice(None)), (slice(-9, None), slice(None))):
        with pytest.raises((ValueError, brook.Error)):
            after(*wrong)
    for wrong in ((1, slice(None)), (slice(0, 4, 2), slice(None)), (slice("a"), slice(None))):
        with pytest.raises(TypeError):
            after(*wrong)


def test_the_same_array_as_often_as_one_likes(device):
    x = device.array(np.arange(4, dtype=np.float32))
    y = x
    for _ in range(60_000):
        y = device.array(y, copy=False)
    assert np.array_equal(y.to_numpy(), [0, 1, 2, 3])
    y.fill(3)
    assert (x.to_numpy() == 3).all()
    del x, y


def test_a_long_chain_of_owners(host):
    x = host.array(np.arange(4, dtype=np.float32))
    for _ in range(60_000):
        x = brook.from_dlpack(np.asarray(x))
    assert np.array_equal(x.to_numpy(), [0, 1, 2, 3])
    del x


def test_what_is_no_name_is_not_in_a_program(device):
    program = device.build_source("@kernel void f(float *x) { for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i] = 1; }")
    assert "f" in program and 3 not in program and None not in program


def test_truth_of_a_template(device):
    f = device.build_source("template <bool B> @kernel void f(float *x) { for (int i = 0; i < 1; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i] = B ? 2 : 3; }").f
    x = device.zeros(1)
    f.instantiate(B=True)(x)
    assert x.to_numpy()[0] == 2
    f.instantiate(B=False)(x)
    assert x.to_numpy()[0] == 3


def test_outputs_of_structures(device):
    f = device.build_source("""
    typedef struct { float a; int b; } Pair;
    kernel void swap(Pair x<>, out Pair y<>) { y.a = (float)x.b; y.b = (int)x.a; }
    """, language="brook").swap
    pairs = np.array([(1, 2), (3, 4)], np.dtype([("a", "f4"), ("b", "i4")]))
    x = device.array(pairs)
    y = f(x)
    assert y.dtype == pairs.dtype and y.to_numpy().tolist() == [(2, 1), (4, 3)]
    if device.backend == "openmp":
        assert f(pairs).tolist() == [(2, 1), (4, 3)]


def test_jax_arrays_are_read_only(host, saxpy):
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "cpu":
        pytest.skip("JAX's arrays are a GPU's here")
    a = jax.numpy.zeros(4, dtype=jax.numpy.float32)
    with pytest.raises(ValueError, match="read only"):
        host.build_source("@kernel void one(float *x) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 1; ++j; @inner) x[i] = 1; }").one(a)
    assert brook.from_dlpack(a).readonly
    assert not np.asarray(a).any()
