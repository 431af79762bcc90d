"""Threads, forks, signals, ends of processes, and memory that is freed."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import brook
import numpy as np
import pytest
from conftest import SAXPY


def python(program: str, device: str, *flags: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEVICE": device, **variables}
    head = f"import brook, numpy as np, os, sys\ndevice = brook.Device(os.environ['DEVICE'])\nSAXPY = '''{SAXPY}'''\n"
    return subprocess.run([sys.executable, *flags, "-c", head + program], capture_output=True, text=True, env=environment, timeout=120)


def test_threads(device):
    """Builds, launches and copies of many threads at once."""
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            program = device.build_source(SAXPY.replace("a * x", f"(a + {number % 3}) * x"))
            x, y = device.array(np.ones(5000, np.float32)), device.zeros(5000)
            for _ in range(50):
                program.saxpy(5000, 1.0, x, y)
            assert (y.to_numpy() == 50 * (1 + number % 3)).all()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    assert not failures and not any(t.is_alive() for t in threads)


def test_other_threads_run_meanwhile(host):
    """Python's lock is given back while a kernel computes."""
    slow = host.build_source("""
    @kernel void slow(const int n, const int rounds, float *x) {
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) { float v = x[i]; for (int k = 0; k < rounds; ++k) v = v * 0.999f + 0.1f; x[i] = v; }
    }""").slow
    x = np.ones(64, np.float32)
    counted, ended = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    slow(64, 1000, x)
    thread = threading.Thread(target=count)
    thread.start()
    before = counted
    slow(64, 50_000_000, x)
    during = counted - before
    ended.set()
    thread.join()
    assert during > 5


def test_fork():
    """What a child does with its parent's device is an error that says so, or works; it hangs nowhere."""
    program = """
saxpy = device.build_source(SAXPY).saxpy
x, y = device.array(np.ones(1000, np.float32)), device.zeros(1000)
queue = device.queue()
saxpy(1000, 1.0, x, y)
saxpy(1000, 1.0, x, y, queue=queue)
queue.wait()
child = os.fork()
if child == 0:
    told = []
    def attempt(what):
        try:
            what()
        except brook.Error as error:
            assert 'fork' in str(error), error
            told.append(str(error))
    attempt(lambda: saxpy(1000, 1.0, x, y))
    attempt(lambda: y.to_numpy())
    attempt(lambda: device.zeros(5))
    attempt(lambda: saxpy(1000, 1.0, x, y, queue=queue))
    attempt(lambda: queue.wait())
    attempt(lambda: device.synchronize())
    if device.backend != 'openmp':
        assert len(told) >= 5, told
    del x, y, queue, saxpy
    sys.exit(0)
_, status = os.waitpid(child, 0)
assert os.waitstatus_to_exitcode(status) == 0, status
assert (y.to_numpy() == 2).all()
"""
    for device in ("openmp:0", "opencl:0"):
        if device in [d.name for d in brook.devices()]:
            done = python(program, device)
            assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("flags", [(), ("-X", "dev")])
@pytest.mark.parametrize("end", ["", "del device", "del saxpy; del x", "import gc; gc.disable(); loop = [queue, x]; loop.append(loop)", "os._exit(0)", "sys.exit(0)",
                                 "kept = np.from_dlpack(x) if device.backend == 'openmp' else None; sys.modules['kept'] = kept",
                                 "import atexit; atexit.register(lambda: (saxpy(1000, 1.0, x, y), y.to_numpy(), device.zeros(3)))",
                                 "import threading; threading.Thread(target=lambda: [saxpy(1000, 1.0, x, y) for _ in range(200)], daemon=True).start()"])
def test_ends(device, end, flags):
    program = f"""
saxpy = device.build_source(SAXPY).saxpy
x, y = device.array(np.ones(1000, np.float32)), device.zeros(1000)
queue = device.queue()
event = queue.record()
pinned = device.pinned(10)
stream = device.stream((2, 3))
with device.record() as work:
    work.launch(saxpy, 1000, 1.0, x, y)
saxpy(1000, 1.0, x, y, queue=queue)
work.sequence()
capsule = x.__dlpack__(max_version=(1, 0)) if device.backend != 'opencl' else None
{end}
"""
    done = python(program, device.name, *flags, PYTHONMALLOC="debug")
    assert done.returncode == 0 and "Error" not in done.stderr, done.stderr


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_launches_leak_nothing(device, saxpy):
    x, y = device.array(np.ones(64, np.float32)), device.zeros(64)
    host = device.backend == "openmp"
    z = np.zeros(64, np.float32)

    def rounds(count: int) -> None:
        for _ in range(count):
            saxpy(64, 1.0, x, y)
            x[3:5]
            if host:
                saxpy(64, 1.0, z, y)
            try:
                saxpy(64, "x", x, y)
            except TypeError:
                pass

    rounds(2000)
    device.synchronize()
    gc.collect()
    objects, before = len(gc.get_objects()), resident()
    blocks = sys.getallocatedblocks()
    rounds(10_000)
    device.synchronize()
    gc.collect()
    assert len(gc.get_objects()) - objects < 50
    assert sys.getallocatedblocks() - blocks < 200
    assert resident() - before < 4 << 20


def test_arrays_are_freed(device):
    for _ in range(3):
        device.zeros(1 << 20)
    device.synchronize()
    before = resident()
    for _ in range(200):
        array = device.zeros(1 << 22)
        array[100:200].fill(1)
        np.asarray(array[:10])
    del array
    device.synchronize()
    gc.collect()
    # All of them together are 3 GiB.
    assert resident() - before < 1 << 30


def test_interrupt():
    """Ctrl-C in a build raises KeyboardInterrupt once the compiler has returned."""
    program = """
import signal, threading, time
def interrupt():
    time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    for n in range(200):
        device.build_source(SAXPY.replace('256', str(8 + n)), cache=False)
except KeyboardInterrupt:
    print('interrupted')
device.zeros(3).to_numpy()
"""
    done = python(program, "openmp:0")
    assert done.returncode == 0 and done.stdout == "interrupted\n", done.stdout + done.stderr


def test_imports(device):
    done = python("""
import importlib
del sys.modules['brook']
again = importlib.import_module('brook')
assert again.Device is brook.Device
assert again.Device(device.name) == device
importlib.reload(again)
""", device.name)
    assert done.returncode == 0, done.stderr


def test_reentrant_destructors(host):
    """An object whose end launches kernels again."""
    saxpy = host.build_source(SAXPY).saxpy
    total = np.zeros(4, np.float32)
    ended = []

    class Mine(np.ndarray):
        def __del__(self) -> None:
            saxpy(4, 1.0, np.ones(4, np.float32), total, queue=queue)
            ended.append(1)

    queue = host.queue()
    for _ in range(20):
        saxpy(4, 1.0, np.ones(4, np.float32).view(Mine), total, queue=queue)
    queue.wait()
    gc.collect()
    queue.wait()
    assert len(ended) == 20 and (total == 40).all()


def test_signals_are_python_s():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
