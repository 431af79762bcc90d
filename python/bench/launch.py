"""What a launch costs from Python, above the same launch from Rust, and beside CuPy's RawKernel where that is: one run.

    python python/bench/launch.py [DEVICE…]
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time

import brook
import numpy as np

TINY = """
@kernel void tiny(const float *x, float *y) {
  for (int o = 0; o < 1; ++o; @outer) for (int i = 0; i < 32; ++i; @inner) y[i] = x[i] + 1.0f;
}
"""
ROUNDS, COUNT = 41, 2000


def seconds(call, *arguments) -> float:
    start = time.perf_counter()
    for _ in range(COUNT):
        call(*arguments)
    return time.perf_counter() - start


def main() -> None:
    for name in sys.argv[1:] or ["openmp:0"]:
        device = brook.Device(name)
        tiny = device.build_source(TINY).tiny
        x, y = device.array(np.ones(32, np.float32)), device.zeros(32)
        forms = {"Rust": lambda: tiny._seconds(COUNT, x, y), "Python, device arrays": lambda: seconds(tiny, x, y)}
        if device.backend == "openmp":
            a, b = np.ones(32, np.float32), np.zeros(32, np.float32)
            forms["Python, numpy arrays"] = lambda: seconds(tiny, a, b)
        if device.backend == "cuda":
            import cupy

            raw = cupy.RawKernel('extern "C" __global__ void tiny(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] + 1.0f; }', "tiny")
            c, d = cupy.ones(32, cupy.float32), cupy.zeros(32, cupy.float32)
            forms["CuPy, RawKernel"] = lambda: seconds(raw, (1,), (32,), (c, d))
            forms["Python, CuPy's arrays"] = lambda: seconds(tiny, c, d)
            if importlib.util.find_spec("torch"):
                import torch

                e, f = torch.ones(32, device="cuda"), torch.zeros(32, device="cuda")
                forms["Python, torch's tensors"] = lambda: seconds(tiny, e, f)
        taken: dict[str, list[float]] = {form: [] for form in forms}
        for _ in range(ROUNDS):
            # In turn, so that what disturbs one disturbs all.
            for form, run in forms.items():
                device.synchronize()
                taken[form].append(run() / COUNT * 1e6)
        rust = statistics.median(taken["Rust"])
        for form, all_ in taken.items():
            median = statistics.median(all_)
            print(f"{name:10} {form:24} {median:7.2f} us, {median - rust:+6.2f} above Rust, {min(all_):7.2f} at least")


if __name__ == "__main__":
    main()
