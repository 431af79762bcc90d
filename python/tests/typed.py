"""A program as people write it, which type checkers find nothing wrong with; it is checked, and run by no test."""

from __future__ import annotations

import numpy as np

import brook
import brook.testing

device = brook.Device("openmp")
program = device.build("scale.okl", BLOCK=256, T=np.float32, include=["include"], math="strict")
kernel: brook.Kernel = program.scale
x: brook.Array = device.array(np.arange(10, dtype=np.float32))
rows, columns = x.reshape(2, 5).shape
x[2:4] = 1.0
kernel(x.size, 2.0, x[1:], queue=device.queue())
total: float = float(x.to_numpy().sum())
with device.record() as work:
    work.launch(kernel, 10, 1.0, x)
work.sequence()
try:
    device.build_source("", language="okl")
except brook.CompileError as error:
    places = [(d.line, d.column, d.code) for d in error.diagnostics]


@brook.kernel
def square() -> str:
    return "kernel void square(float x<>, out float y<>) { y = x * x; }"


stream: brook.Stream = device.stream((3, 4), "float4")
made = square(stream[0:2])
brook.testing.assert_same_on_all_devices(kernel, 10, 1.0, x, devices=["openmp:0"])
