"""Device arrays have numpy's habits."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import brook
import numpy as np
import pytest

NUMBERS = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_round_trip(device, dtype):
    host = np.arange(12).reshape(3, 4).astype(dtype)
    array = device.array(host)
    assert array.shape == (3, 4) and array.dtype == np.dtype(dtype)
    assert (array.ndim, array.size, array.itemsize, array.nbytes) == (2, 12, host.itemsize, host.nbytes)
    back = array.to_numpy()
    assert back.dtype == host.dtype and np.array_equal(back, host)
    assert len(array) == 3 and not array.readonly and array.device == device


def test_structures(device):
    dtype = np.dtype([("position", "f4", 3), ("mass", "f4"), ("id", "i8")], align=True)
    host = np.zeros(5, dtype)
    host["position"] = np.arange(15).reshape(5, 3)
    host["id"] = np.arange(5)
    array = device.array(host)
    assert array.dtype == dtype
    assert np.array_equal(array.to_numpy(), host)
    assert np.array_equal(array[2:4].to_numpy(), host[2:4])


@pytest.mark.parametrize("index", [0, -1, 2, slice(None), slice(1, 3), slice(-2, None), slice(2, 2), slice(5, 9), slice(3, 1), ..., (1,), (), (slice(1, 2),)])
def test_indices(device, index):
    host = np.arange(24, dtype=np.int32).reshape(4, 3, 2)
    part = device.array(host)[index]
    assert part.shape == host[index].shape
    assert np.array_equal(part.to_numpy(), host[index])


@pytest.mark.parametrize("index, error", [(4, IndexError), (-5, IndexError), (slice(0, 4, 2), IndexError), (slice(None, None, -1), IndexError),
                                          ((1, 2), IndexError), ("a", TypeError), (1.0, TypeError), (None, TypeError), ([1, 2], TypeError)])
def test_wrong_indices(device, index, error):
    with pytest.raises(error):
        device.zeros((4, 3))[index]


def test_views_are_the_same_memory(device):
    array = device.zeros((4, 3), np.int32)
    view = array[1:3]
    one = view[1]
    del array
    gc.collect()
    view[0] = [1, 2, 3]
    one[:] = 7
    assert view.to_numpy().tolist() == [[1, 2, 3], [7, 7, 7]]
    assert one[2].to_numpy() == 7 and one[2].shape == ()
    del view
    gc.collect()
    assert one.to_numpy().tolist() == [7, 7, 7]


def test_assignment(device):
    array = device.zeros((3, 4), np.float32)
    array[...] = 2
    array[1] = np.arange(4)
    array[2] = device.array(np.full(4, 9, np.float32))
    array[0:1] = [[1, 1, 1, 1]]
    expected = np.array([[1] * 4, range(4), [9] * 4], np.float32)
    assert np.array_equal(array.to_numpy(), expected)
    with pytest.raises(ValueError, match="broadcast"):
        array[0] = [1, 2]
    with pytest.raises(TypeError, match="cannot be deleted"):
        del array[0]


def test_reshape_copy_fill(device):
    array = device.array(np.arange(12, dtype=np.float64))
    shaped = array.reshape(3, -1)
    assert shaped.shape == (3, 4) and array.reshape((2, 6)).shape == (2, 6)
    shaped.fill(4)
    assert (array.to_numpy() == 4).all()
    other = copy.deepcopy(array)
    other.fill(5)
    assert (array.to_numpy() == 4).all() and (other.to_numpy() == 5).all()
    for wrong in [(5,), (-1, -1), (-2, -6), (0, -1)]:
        with pytest.raises(ValueError):
            array.reshape(*wrong)


def test_copies_are_checked(device):
    array = device.zeros((2, 3))
    with pytest.raises(TypeError, match="dtypes differ"):
        array.copy_from(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="shapes differ"):
        array.copy_from(np.zeros((3, 2), np.float32))
    with pytest.raises(TypeError, match="dtypes differ"):
        array.copy_from(device.zeros((2, 3), np.int32))
    with pytest.raises(ValueError, match="shapes differ"):
        array.copy_from(device.zeros((3, 2)))
    out = np.empty((3, 2), np.float32).T
    with pytest.raises(ValueError, match="side by side"):
        array.to_numpy(out)
    frozen = np.empty((2, 3), np.float32)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        array.to_numpy(frozen)
    array.copy_from(np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)))
    assert array.to_numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    array.copy_from(np.arange(12, dtype=np.float32).reshape(2, 6)[:, ::-2])
    assert array.to_numpy().tolist() == [[5, 3, 1], [11, 9, 7]]


@pytest.mark.parametrize("shape", [0, (0,), (0, 5), (5, 0), (), 1, (1, 1, 1, 1, 1, 1)])
def test_odd_shapes(device, shape):
    host = np.ones(shape, np.float32)
    array = device.array(host)
    assert array.shape == host.shape
    assert np.array_equal(array.to_numpy(), host)
    assert np.array_equal(np.asarray(array), host)
    assert device.zeros(shape).to_numpy().shape == host.shape
    array.copy_from(device.zeros(shape))
    assert (array.to_numpy() == 0).all()


@pytest.mark.parametrize("shape, error", [(-1, ValueError), ((2, -3), ValueError), (1.5, TypeError), ("ab", TypeError), (2**62, ValueError),
                                          ((2**40, 2**40), ValueError), (2**80, ValueError), (None, TypeError)])
def test_impossible_shapes(device, shape, error):
    with pytest.raises(error):
        device.zeros(shape)


def test_too_much_memory(device):
    with pytest.raises((brook.DeviceError, ValueError)):
        device.zeros(2**45)


@pytest.mark.parametrize("made", [lambda: np.array(["a"]), lambda: np.array([object()]), lambda: np.zeros(3, np.float16), lambda: np.zeros(3, ">f4"),
                                  lambda: np.zeros(3, "M8[s]"), lambda: np.ma.masked_array([1.0, 2.0], [True, False]), lambda: [1, "a", None]])
def test_elements_that_no_kernel_has(device, made):
    with pytest.raises(TypeError):
        device.array(made())


def test_what_arrays_are_not(device):
    array = device.zeros(3)
    with pytest.raises(TypeError):
        bool(array)
    with pytest.raises(TypeError):
        pickle.dumps(array)
    with pytest.raises(TypeError):
        len(device.zeros(()))
    with pytest.raises(TypeError):
        brook.Array()
    with pytest.raises(AttributeError):
        array.shape = (1, 3)
    assert "float32" in repr(array) and weakref.ref(array)() is array


def test_numpy_sees_it(device):
    array = device.array(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert np.asarray(array).sum() == 15
    assert np.asarray(array, np.int64).dtype == np.int64
    copied = np.array(array)
    copied[:] = 0
    assert array.to_numpy().sum() == 15
    if device.backend == "openmp":
        view = np.asarray(array)
        base = weakref.ref(array)
        del array
        gc.collect()
        view[0, 0] = 100
        assert base() is not None and base().to_numpy()[0, 0] == 100
    else:
        with pytest.raises(ValueError, match="without a copy"):
            np.asarray(array, copy=False)


def test_pinned(device):
    array = device.pinned((4, 5), np.float64)
    assert array.shape == (4, 5) and array.dtype == np.float64 and (array == 0).all()
    array[:] = np.arange(20).reshape(4, 5)
    part = array[1:3]
    del array
    gc.collect()
    assert part.sum() == sum(range(5, 15))
    target = device.zeros((2, 5), np.float64)
    with device.queue() as queue:
        target.copy_from(part, queue=queue)
        back = device.pinned((2, 5), np.float64)
        target.to_numpy(back, queue=queue)
    assert np.array_equal(back, part)
    assert device.pinned(0).shape == (0,)


def test_copies_on_queues(device):
    queue = device.queue()
    array = device.zeros(1000, np.int32)
    for value in range(20):
        array.copy_from(np.full(1000, value, np.int32), queue=queue)
    out = np.empty(1000, np.int32)
    array.to_numpy(out, queue=queue)
    other = device.zeros(1000, np.int32)
    other.copy_from(array, queue=queue)
    queue.wait()
    assert queue.done and (out == 19).all() and (other.to_numpy() == 19).all()
    with pytest.raises(TypeError, match="out="):
        array.to_numpy(queue=queue)


def test_between_devices(device, host):
    there = host.array(np.arange(5, dtype=np.float32))
    here = device.zeros(5)
    here.copy_from(there)
    assert here.to_numpy().tolist() == [0, 1, 2, 3, 4]
    assert device.array(there).to_numpy().tolist() == [0, 1, 2, 3, 4]
