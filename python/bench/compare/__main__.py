"""The same five kernels in brook and in other libraries: lines, the first call, and those after it.

    python python/bench/compare [LIBRARY…]

Each library has a process of its own for each kernel, without caches of what was compiled. `brook:opencl` is brook on that device. What each computes is
compared with numpy.
"""

import importlib
import inspect
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from problems import bodies

SIZES = {"saxpy": 1 << 22, "heat": 2048, "mandelbrot": 1024, "nbody": 4096, "dot": 1 << 22}


def expected(name, n, calls):
    if name == "saxpy":
        return calls * 2 * np.arange(n, dtype=np.float32)
    if name == "heat":
        v = np.zeros((n, n), np.float32)
        v[0] = 100
        v[1, 1:-1] = 20
        return v
    if name == "dot":
        return np.array([n], np.float32)
    if name == "nbody":
        p = bodies(n).astype(np.float64)
        d = p[None, :, :3] - p[:8, None, :3]
        r = (d**2).sum(2) + 0.01
        return (p[None, :, 3, None] * d / (r * np.sqrt(r))[:, :, None]).sum(1)
    i, j = np.mgrid[0:n, 0:n].astype(np.float32)
    c = (-2 + 3 * j / n) + 1j * (-1.5 + 3 * i / n)
    z, count = np.zeros_like(c), np.zeros((n, n), np.int32)
    for _ in range(100):
        inside = np.abs(z) <= 2
        count += inside
        z[inside] = z[inside] ** 2 + c[inside]
    return count


def measure(library, name):
    n = SIZES[name]
    start = time.perf_counter()
    module = importlib.import_module(f"with_{library}")
    imported = time.perf_counter()
    call, result, wait = getattr(module, name)(n)
    call()
    wait()
    first = time.perf_counter() - imported
    times = []
    # Sums of single precision drift away from numpy's with more calls.
    while len(times) < 15 or (sum(times) < 1 and len(times) < 1000):
        begin = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - begin)
    got, right = np.asarray(result()), expected(name, n, len(times) + 1)
    if name == "nbody":
        got = got[:8, :3]
    # Of Mandelbrot's points a few lie where the last bit decides.
    close = np.isclose(got, right, rtol=1e-4, atol=1e-4)
    assert close.mean() > (0.999 if name == "mandelbrot" else 0.99999), (library, name, got, right)
    text = inspect.getsource(getattr(module, name))
    lines = sum(bool(line.strip()) for line in text.splitlines())
    print(json.dumps({"lines": lines, "import": imported - start, "first": first, "steady": statistics.median(times)}))


def main():
    if sys.argv[1:2] == ["--one"]:
        return measure(*sys.argv[2:])
    for which in sys.argv[1:] or ["brook:openmp", "brook:opencl", "pyopencl", "taichi"]:
        library, _, device = which.partition(":")
        for name in SIZES:
            with tempfile.TemporaryDirectory() as caches:
                environment = {**os.environ, "BROOK_CACHE": "off", "PYOPENCL_NO_CACHE": "1", "POCL_CACHE_DIR": caches, "XDG_CACHE_HOME": caches, "TI_OFFLINE_CACHE": "0",
                               "CUPY_CACHE_DIR": caches, "CUDA_CACHE_DISABLE": "1", "COMPARE_DEVICE": device or "openmp"}
                done = subprocess.run([sys.executable, __file__, "--one", library, name], capture_output=True, text=True, env=environment)
            if done.returncode:
                print(f"{which:14} {name:11} failed: {done.stderr.strip().splitlines()[-1]}")
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            print(f"{which:14} {name:11} {found['lines']:3} lines, first {found['first'] * 1e3:8.1f} ms, then {found['steady'] * 1e3:8.3f} ms")


main()
