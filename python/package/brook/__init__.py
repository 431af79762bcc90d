"""Kernels in OKL and Brook+, written once, on every device, over the arrays that Python has.

>>> import brook, numpy as np
>>> device = brook.Device("openmp")
>>> twice = device.build_source('''
... @kernel void twice(const int n, float *x) {
...   for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) x[i] *= 2;
... }''').twice
>>> x = device.array(np.ones(3, dtype=np.float32))
>>> twice(3, x)
>>> x.to_numpy()
array([2., 2., 2.], dtype=float32)

``devices()`` lists what there is. Wrong arguments are TypeError and ValueError; all else is an ``Error``: ``CompileError`` has what is
wrong with a source in ``diagnostics``.
"""

from ._brook import (
    Array,
    CompileError,
    Device,
    DeviceError,
    DeviceInfo,
    Diagnostic,
    Error,
    Event,
    Kernel,
    Parameter,
    Program,
    Queue,
    Recorder,
    Sequence,
    Stream,
    ToolchainError,
    Translation,
    __version__,
    backends,
    check,
    devices,
    explain,
    from_dlpack,
    normalize,
    transpile,
)
from ._functions import LazyKernel, LazyProgram, default_device, kernel, load
from ._verify import Difference, Verification, sanitize, verify

__all__ = [
    "Array",
    "CompileError",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "Diagnostic",
    "Difference",
    "Error",
    "Event",
    "Kernel",
    "LazyKernel",
    "LazyProgram",
    "Parameter",
    "Program",
    "Queue",
    "Recorder",
    "Sequence",
    "Stream",
    "ToolchainError",
    "Translation",
    "Verification",
    "__version__",
    "backends",
    "check",
    "default_device",
    "devices",
    "explain",
    "from_dlpack",
    "kernel",
    "load",
    "normalize",
    "sanitize",
    "transpile",
    "verify",
]


def load_ipython_extension(shell: object) -> None:
    """Adds ``%%okl`` and ``%%brook`` to a notebook: ``%load_ext brook``."""
    from .magics import register

    register(shell)
