"""Arrays of other libraries, and ours for them, without a copy: DLPack and ``__cuda_array_interface__``."""

from __future__ import annotations

import ctypes
import gc
import weakref

import brook
import numpy as np
import pytest
from conftest import DEVICES, SAXPY, library

# What other libraries warn of is theirs.
pytestmark = pytest.mark.filterwarnings("default")
GPUS = [name for name in DEVICES if name.startswith("cuda")]


# --- with numpy, on the processor


def test_numpy_takes_ours(host):
    array = host.array(np.arange(12, dtype=np.int64).reshape(3, 4))
    other = np.from_dlpack(array)
    base = weakref.ref(array)
    assert other.shape == (3, 4) and other.dtype == np.int64
    del array
    gc.collect()
    assert base() is not None and base()[1].to_numpy().tolist() == [4, 5, 6, 7]
    del other
    gc.collect()
    assert base() is None


def test_slices_of_ours(host):
    array = host.array(np.arange(12, dtype=np.float32).reshape(3, 4))
    assert np.from_dlpack(array[1:]).tolist() == [[4, 5, 6, 7], [8, 9, 10, 11]]
    assert np.from_dlpack(array[2]).tolist() == [8, 9, 10, 11]
    assert np.from_dlpack(host.zeros((0, 4))).shape == (0, 4)


def test_numpy_is_taken(host):
    other = np.arange(6, dtype=np.float64).reshape(2, 3)
    array = brook.from_dlpack(other)
    assert array.device == host and array.shape == (2, 3)
    array[0] = [7, 8, 9]
    assert other[0].tolist() == [7, 8, 9]
    other[1, 1] = -1
    assert array.to_numpy()[1, 1] == -1
    kept = weakref.ref(other)
    del other
    gc.collect()
    assert kept() is not None and array[1].to_numpy().tolist() == [3, -1, 5]
    part = array[0]
    del array
    gc.collect()
    assert kept() is not None
    del part
    gc.collect()
    assert kept() is None


def test_read_only(host):
    other = np.arange(4, dtype=np.float32)
    other.flags.writeable = False
    array = brook.from_dlpack(other)
    assert array.readonly
    saxpy = host.build_source(SAXPY).saxpy
    y = np.zeros(4, np.float32)
    saxpy(4, 1.0, array, y)
    for attempt in (lambda: array.fill(1), lambda: array.copy_from(y), lambda: saxpy(4, 1.0, y, array), lambda: array.__setitem__(0, 1)):
        with pytest.raises(ValueError, match="read only"):
            attempt()
    assert not np.from_dlpack(array).flags.writeable and not np.asarray(array).flags.writeable
    with pytest.raises(BufferError, match="read only"):
        array.__dlpack__()


@pytest.mark.parametrize("made", [lambda: np.zeros((4, 4), np.float32)[:, ::2], lambda: np.zeros((4, 4), np.float32).T[1:],
                                  lambda: np.zeros(8, np.float32)[::-1], lambda: np.frombuffer(bytes(17), np.uint8)[1:].view(np.float32)])
def test_elements_that_do_not_lie_side_by_side(host, made):
    with pytest.raises(ValueError, match="side by side"):
        brook.from_dlpack(made())


@pytest.mark.parametrize("wrong", [1, None, "a", [1.0, 2.0], object()])
def test_what_is_no_array(host, wrong):
    with pytest.raises((TypeError, brook.DeviceError)):
        brook.from_dlpack(wrong)


# --- capsules, by hand


class Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("id", ctypes.c_int)]


class Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("rank", ctypes.c_int), ("type", Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Tensor)]


new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.restype, rename.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]


class Producer:
    """A library with one float tensor of shape (2, 3), in whatever form a test wants."""

    def __init__(self, versioned=True, major=1, kind=1, code=2, bits=32, lanes=1, strides=None, flags=0, offset=0, name=None):
        self.data = np.arange(16, dtype=np.float32)
        self.shape = (ctypes.c_int64 * 2)(2, 3)
        self.strides = None if strides is None else (ctypes.c_int64 * 2)(*strides)
        self.kind = kind
        tensor = Tensor(self.data.ctypes.data, Device(kind, 0), 2, Type(code, bits, lanes), self.shape, self.strides, offset)
        self.managed = Versioned(major, 0, None, None, flags, tensor) if versioned else Managed(tensor, None, None)
        self.name = name or (b"dltensor_versioned" if versioned else b"dltensor")
        self.versioned = versioned

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, **keywords):
        if not self.versioned and "max_version" in keywords:
            raise TypeError("unexpected keyword max_version")
        return new(ctypes.addressof(self.managed), self.name, None)


@pytest.mark.parametrize("versioned", [True, False])
def test_both_forms_are_taken(host, versioned):
    producer = Producer(versioned)
    array = brook.from_dlpack(producer)
    assert array.to_numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    host.build_source(SAXPY).saxpy(6, 1.0, producer, array)
    assert producer.data[:7].tolist() == [0, 2, 4, 6, 8, 10, 6]


def test_strides_offsets_lanes_and_flags(host):
    assert brook.from_dlpack(Producer(strides=(3, 1))).shape == (2, 3)
    assert brook.from_dlpack(Producer(offset=8)).to_numpy()[0].tolist() == [2, 3, 4]
    assert brook.from_dlpack(Producer(lanes=2)).to_numpy().tolist() == np.arange(12).reshape(2, 3, 2).tolist()
    assert brook.from_dlpack(Producer(flags=1)).readonly
    for strides in [(1, 2), (6, 2), (-3, 1), (0, 1)]:
        with pytest.raises(ValueError, match="side by side"):
            brook.from_dlpack(Producer(strides=strides))


@pytest.mark.parametrize("made, error, words", [
    (dict(major=2), BufferError, "DLPack 2.0"), (dict(bits=16), TypeError, "float16"), (dict(code=4, bits=16), TypeError, "bfloat16"),
    (dict(code=17), TypeError, "type 32"), (dict(bits=7), TypeError, "float7"), (dict(name=b"used_dltensor_versioned"), BufferError, "used already"),
    (dict(name=b"something"), BufferError, "no tensor"), (dict(kind=99), TypeError, "device 99")])
def test_tensors_that_cannot_be_used(host, made, error, words):
    with pytest.raises(error, match=words):
        brook.from_dlpack(Producer(**made))


@pytest.mark.parametrize("versioned", [True, False])
def test_both_forms_are_given(host, versioned):
    array = host.array(np.arange(6, dtype=np.float32).reshape(2, 3))
    capsule = array.__dlpack__(max_version=(1, 1)) if versioned else array.__dlpack__()
    name = b"dltensor_versioned" if versioned else b"dltensor"
    managed = (Versioned if versioned else Managed).from_address(pointer(capsule, name))
    tensor = managed.tensor
    assert (tensor.device.kind, tensor.rank, tensor.type.code, tensor.type.bits, tensor.type.lanes) == (1, 2, 2, 32, 1)
    assert [tensor.shape[0], tensor.shape[1], tensor.strides[0], tensor.strides[1]] == [2, 3, 3, 1]
    assert tensor.data + tensor.offset == array.pointer
    base = weakref.ref(array)
    del array, managed, tensor
    # Nobody takes it: it frees what it has.
    del capsule
    gc.collect()
    assert base() is None


def test_a_consumer_frees_it_once(host):
    array = host.zeros(3)
    base = weakref.ref(array)
    capsule = array.__dlpack__(max_version=(1, 0))
    managed = Versioned.from_address(pointer(capsule, b"dltensor_versioned"))
    address, deleter = ctypes.addressof(managed), managed.deleter
    assert rename(capsule, b"used_dltensor_versioned") == 0
    del array, capsule, managed
    gc.collect()
    assert base() is not None
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(address)
    gc.collect()
    assert base() is None


def test_copies_and_devices_asked_for(host):
    array = host.array(np.arange(3, dtype=np.float32))
    capsule = array.__dlpack__(max_version=(1, 0), copy=True, dl_device=(1, 0))
    managed = Versioned.from_address(pointer(capsule, b"dltensor_versioned"))
    assert managed.flags == 2 and managed.tensor.data != array.pointer
    with pytest.raises(BufferError, match="device"):
        array.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="structures"):
        host.zeros(3, [("a", "f4")]).__dlpack__()
    assert not hasattr(array, "__cuda_array_interface__")


def test_broken_producers(host):
    class Raises:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **_):
            raise KeyError("mine")

    class Nonsense(Raises):
        def __dlpack__(self, **_):
            return 5

    class Where(Raises):
        def __dlpack_device__(self):
            return "here"

    with pytest.raises(KeyError, match="mine"):
        brook.from_dlpack(Raises())
    for wrong in (Nonsense(), Where()):
        with pytest.raises(TypeError):
            brook.from_dlpack(wrong)


# --- torch


def torch_places():
    return ["cpu"] + ["cuda" for _ in GPUS]


@pytest.fixture(params=torch_places())
def place(request):
    torch = library("torch")
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.fail("torch sees no GPU, though BROOK_PYTHON_DEVICES names one")
    return request.param


def device_for(place):
    return brook.Device("openmp" if place == "cpu" else "cuda")


def test_torch_round_trip(place):
    torch = library("torch")
    for dtype in (torch.float32, torch.float64, torch.int32, torch.uint8, torch.bool):
        tensor = torch.arange(12, device=place).reshape(3, 4).to(dtype)
        array = brook.from_dlpack(tensor)
        assert array.shape == (3, 4) and array.pointer == tensor.data_ptr()
        back = torch.from_dlpack(array)
        assert back.data_ptr() == tensor.data_ptr() and torch.equal(back, tensor)
    with pytest.raises(TypeError):
        brook.from_dlpack(torch.zeros(3, dtype=torch.float16, device=place))
    with pytest.raises(ValueError, match="side by side"):
        brook.from_dlpack(torch.zeros(3, 4, device=place).t())


def test_torch_tensors_are_arguments(place):
    torch = library("torch")
    saxpy = device_for(place).build_source(SAXPY).saxpy
    x, y = torch.arange(1000, dtype=torch.float32, device=place), torch.ones(1000, device=place)
    saxpy(1000, 2.0, x, y)
    assert torch.equal(y, 1 + 2 * x)
    ours = device_for(place).array(np.ones(1000, np.float32))
    saxpy(1000, 1.0, ours, y)
    saxpy(1000, 1.0, y, ours)
    assert torch.equal(y, 2 + 2 * x) and np.array_equal(ours.to_numpy(), 3 + 2 * np.arange(1000))


def test_torch_streams_are_in_order():
    torch = library("torch")
    if not GPUS:
        pytest.skip("streams of torch are a GPU's; BROOK_PYTHON_DEVICES names none")
    device = brook.Device("cuda")
    saxpy = device.build_source(SAXPY).saxpy
    n = 1 << 22
    for mixed in (False, True):
        for stream in (torch.cuda.default_stream(), torch.cuda.Stream(), torch.cuda.Stream()):
            with torch.cuda.stream(stream):
                ones = device.array(np.ones(n, np.float32)) if mixed else torch.ones(n, device="cuda")
                for round_ in range(10):
                    # Long work on the stream, then what the kernel reads and writes: nothing is waited for.
                    noise = torch.randn(2048, 2048, device="cuda")
                    for _ in range(4):
                        noise = noise @ noise
                    y = torch.full((n,), float(round_), device="cuda")
                    saxpy(n, 2.0, ones, y)
                    y *= 2
                    assert bool((y == 2 * (round_ + 2)).all())
                    # The allocator gives this memory away at once.
                    del y


def test_torch_gradients(place):
    torch = library("torch")
    program = device_for(place).build_source("""
    @kernel void forward(const int n, const double *x, double *y) {
      for (int i = 0; i < n; ++i; @tile(128, @outer, @inner)) y[i] = x[i] * x[i] * x[i] + 2 * x[i];
    }
    @kernel void backward(const int n, const double *x, const double *g, double *d) {
      for (int i = 0; i < n; ++i; @tile(128, @outer, @inner)) d[i] = g[i] * (3 * x[i] * x[i] + 2);
    }""")

    class Cubic(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = torch.empty_like(x)
            program.forward(x.numel(), x, y)
            ctx.save_for_backward(x)
            return y

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            d = torch.empty_like(x)
            program.backward(x.numel(), x.contiguous(), g.contiguous(), d)
            return d

    x = torch.randn(40, dtype=torch.float64, device=place, requires_grad=True)
    with pytest.raises(TypeError, match="detach"):
        program.forward(40, x, torch.empty_like(x))
    assert torch.autograd.gradcheck(Cubic.apply, (x,))
    Cubic.apply(x).sum().backward()
    assert torch.allclose(x.grad, 3 * x.detach() ** 2 + 2)


# --- CuPy, JAX, numba


@pytest.mark.skipif(not GPUS, reason="CuPy's arrays are a GPU's; BROOK_PYTHON_DEVICES names none")
def test_cupy():
    cupy = library("cupy")
    device = brook.Device("cuda")
    saxpy = device.build_source(SAXPY).saxpy
    x = cupy.arange(1000, dtype=cupy.float32)
    array = brook.from_dlpack(x)
    assert array.pointer == x.data.ptr and cupy.from_dlpack(array).data.ptr == x.data.ptr
    assert cupy.asarray(array).data.ptr == x.data.ptr
    for stream in (cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True)):
        with stream:
            y = cupy.ones(1000, dtype=cupy.float32)
            saxpy(1000, 2.0, x, y)
            y *= 2
            assert cupy.array_equal(y, 2 + 4 * x)
            saxpy(1000, 1.0, array, y)
            assert cupy.array_equal(y, 2 + 5 * x)
    with pytest.raises(ValueError, match="side by side"):
        saxpy(500, 1.0, x[::2], y)
    with pytest.raises(TypeError, match="float64"):
        saxpy(1000, 1.0, x.astype(cupy.float64), y)


@pytest.mark.skipif(not GPUS, reason="streams are a GPU's; BROOK_PYTHON_DEVICES names none")
def test_streams_of_others_may_end():
    cupy = library("cupy")
    device = brook.Device("cuda")
    saxpy = device.build_source(SAXPY).saxpy
    for _ in range(20):
        stream = cupy.cuda.Stream(non_blocking=True)
        with stream:
            x, y = cupy.ones(1000, dtype=cupy.float32), cupy.ones(1000, dtype=cupy.float32)
            saxpy(1000, 2.0, x, y)
            saxpy(1000, 2.0, device.array(np.ones(1000, np.float32)), y)
        stream.synchronize()
        assert float(y.sum()) == 5000
        del stream, x, y
        # What is freed and waited for behind its end.
        device.zeros(10)
        device.synchronize()


def test_torch_tensors_that_are_views_with_a_sign():
    torch = library("torch")
    host = brook.Device("openmp")
    saxpy = host.build_source(SAXPY).saxpy
    z = torch.complex(torch.ones(4), torch.ones(4))
    negative = z.conj().imag
    assert negative.is_neg()
    with pytest.raises(TypeError, match="resolve_neg"):
        saxpy(4, 1.0, torch.ones(8)[:4], negative)
    y = torch.zeros(4)
    saxpy(4, 2.0, torch.ones(8)[4:], y)
    assert y.tolist() == [2, 2, 2, 2]
    with pytest.raises(ValueError, match="side by side"):
        saxpy(4, 1.0, torch.ones(8)[::2], y)
    with pytest.raises(TypeError, match="float16"):
        saxpy(4, 1.0, torch.ones(4, dtype=torch.float16), y)


def test_jax():
    jax = library("jax")
    where = brook.Device("cuda" if GPUS and jax.default_backend() == "gpu" else "openmp")
    saxpy = where.build_source(SAXPY).saxpy
    x = jax.numpy.arange(1000, dtype=jax.numpy.float32) * 2
    y = where.zeros(1000)
    saxpy(1000, 1.0, x, y)
    assert np.array_equal(y.to_numpy(), 2 * np.arange(1000))
    back = jax.dlpack.from_dlpack(y)
    assert bool((back == x).all())
    assert np.array_equal(brook.from_dlpack(x).to_numpy(), 2 * np.arange(1000))


@pytest.mark.skipif(not GPUS, reason="numba's device arrays are a GPU's; BROOK_PYTHON_DEVICES names none")
def test_numba():
    numba = library("numba.cuda")
    device = brook.Device("cuda")
    saxpy = device.build_source(SAXPY).saxpy
    x = numba.to_device(np.arange(100, dtype=np.float32))
    y = numba.to_device(np.ones(100, np.float32))
    saxpy(100, 2.0, x, y)
    assert np.array_equal(y.copy_to_host(), 1 + 2 * np.arange(100))
    ours = device.array(np.arange(4, dtype=np.float32))
    assert numba.as_cuda_array(ours).copy_to_host().tolist() == [0, 1, 2, 3]


@pytest.mark.skipif(not GPUS, reason="BROOK_PYTHON_DEVICES names no GPU")
def test_host_memory_is_no_argument_on_a_gpu():
    torch = library("torch")
    saxpy = brook.Device("cuda").build_source(SAXPY).saxpy
    with pytest.raises(TypeError, match="host's memory"):
        saxpy(3, 1.0, torch.zeros(3), torch.zeros(3))


def test_what_requires_a_gradient(host, monkeypatch):
    """Torch's rule, with a tensor that only says that it is one."""
    import sys
    import types

    class Tensor:
        def __init__(self, data, requires_grad):
            self.data, self.requires_grad = data, requires_grad

        def detach(self):
            return Tensor(self.data, False)

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **keywords):
            assert not self.requires_grad
            return self.data.__dlpack__(**keywords)

    Tensor.__module__ = "torch"
    torch = types.ModuleType("torch")
    monkeypatch.setitem(sys.modules, "torch", torch)
    saxpy = host.build_source(SAXPY).saxpy
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    torch.is_grad_enabled = lambda: True
    with pytest.raises(TypeError, match="detach"):
        saxpy(4, 2.0, Tensor(x, True), y)
    saxpy(4, 2.0, Tensor(x, False), y)
    torch.is_grad_enabled = lambda: False
    saxpy(4, 2.0, Tensor(x, True), y)
    assert (y == 4).all()
