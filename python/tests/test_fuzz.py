"""Everything that the package has, called with whatever there is: exceptions come back, and the process lives."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import DEVICES

PROGRAM = '''
import faulthandler, random, resource, sys, warnings
# What asks for more memory than any machine should give is told so, where the kernel would otherwise end the process.
resource.setrlimit(resource.RLIMIT_DATA, (8 << 30, 8 << 30))
import brook, brook.testing, numpy as np
faulthandler.enable()
warnings.simplefilter("ignore")
device, seed = brook.Device(sys.argv[1]), int(sys.argv[2])
other = brook.Device("openmp")
draw = random.Random(seed)

program = device.build_source("""
struct Pair { float a; int b; };
@kernel void saxpy(const int n, const float a, const float *x, float *y) {
  for (int i = 0; i < 64; ++i; @tile(16, @outer, @inner)) if (i < 4) { y[i] += a; }
}
@kernel void pairs(const Pair p, const float4 v, Pair *all) {
  for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) if (all) all[i].b = p.b;
}
template <typename T> @kernel void put(const T v, T *x) { for (int i = 0; i < 2; ++i; @tile(2, @outer, @inner)) x[i] = v; }
""")
streams = device.build_source("""
kernel void square(float x<>, out float y<>) { y = x * x; }
kernel void look(float x[][], float w[3], float4 v, out float y<>) { y = x[instance().y][instance().x] * w[1] + v.x; }
reduce void sum(float x<>, reduce float total<>) { total += x; }
kernel void put(float x<>, out float y[]) { y[instance().x] = x; }
""", language="brook")
pair = np.dtype([("a", "f4"), ("b", "i4")])

class Liar:
    """Says that it is all kinds of arrays."""
    def __init__(self, **what): self.__dict__.update(what)
    def __len__(self): return 3
    def __getitem__(self, i): return [1.0, "a", None][i]
    def __float__(self): raise RuntimeError("no")
    def __index__(self): raise RuntimeError("no")
    def __dlpack_device__(self): return draw.choice([(1, 0), (2, 0), (4, 0), None, (1, "x"), (2**40, 1)])
    def __dlpack__(self, **k): return draw.choice([None, 5, device.zeros(4).__dlpack__(max_version=(1, 0)) if device.backend == "openmp" else 1])

with device.record() as work:
    work.launch(program.saxpy, 4, 1.0, device.zeros(4), device.zeros(4))

def things():
    queue = device.queue() if draw.random() < 0.05 else device_queue
    return [
        lambda: None, lambda: True, lambda: 0, lambda: -1, lambda: 3, lambda: 2**31, lambda: -2**63, lambda: 2**64, lambda: 2**200, lambda: 0.5, lambda: float("nan"),
        lambda: float("inf"), lambda: 1j, lambda: "", lambda: "x", lambda: "float", lambda: "float4", lambda: "f4,f4", lambda: "bytes:99999999999", lambda: "\\0", lambda: "\\ud800",
        lambda: "cuda", lambda: "openmp", lambda: b"x" * 8, lambda: (), lambda: (2, 2), lambda: [1, 2, 3], lambda: (slice(0, 2), slice(1, 2)), lambda: slice(None, None, -1),
        lambda: slice(-5, 9), lambda: slice(0, 2**70), lambda: ..., lambda: {}, lambda: {"a": 1}, lambda: object(), lambda: Liar(), lambda: Liar(shape=(2,), dtype="f4", ndim=0),
        lambda: Liar(__cuda_array_interface__={}), lambda: Liar(__cuda_array_interface__={"shape": (2,), "typestr": "<f4", "data": (0, False), "version": 3}),
        lambda: Liar(__array_struct__=5), lambda: Liar(__array_interface__={"shape": (2,), "typestr": "<f4", "data": (0, True)}), lambda: np.float32(1), lambda: np.int64(-3), lambda: np.bool_(True),
        lambda: np.zeros((), pair), lambda: np.zeros((), pair)[()], lambda: np.zeros(4, pair), lambda: np.zeros(4, np.float32), lambda: np.zeros((4, 4), np.float32), lambda: np.zeros((4, 4), np.float32)[:, ::-1],
        lambda: np.zeros(0, np.float32), lambda: np.zeros(4, ">f4"), lambda: np.zeros(4, np.float16), lambda: np.array(["a"]), lambda: np.array(None), lambda: np.zeros((1,) * 32),
        lambda: np.broadcast_to(np.float32(1), (1 << 20, 1 << 20)), lambda: np.zeros(4, np.float32).view(np.recarray), lambda: np.ma.zeros(4), lambda: np.float32, lambda: pair,
        lambda: np.dtype("O"), lambda: np.dtype("V0"), lambda: device, lambda: other, lambda: queue, lambda: queue.record(), lambda: device.zeros(4), lambda: device.zeros((4, 4)), lambda: device.zeros((4, 4))[1],
        lambda: device.zeros(0), lambda: device.zeros(()), lambda: device.zeros(4, pair), lambda: other.zeros(4), lambda: device.stream(4), lambda: device.stream((4, 4)), lambda: device.stream((4, 4))[1:2, 0:3],
        lambda: device.stream(4, "float4"), lambda: device.stream(4, "bytes:8"), lambda: other.stream(4), lambda: program.saxpy, lambda: streams.sum, lambda: program, lambda: work, lambda: work.sequence,
        lambda: device.record(), lambda: work.launch, lambda: len, lambda: "@kernel void f(int *x) { for (int i = 0; i < 4; ++i; @outer) x[i] = 1; }", lambda: brook.CompileError("x"),
    ]

device_queue = device.queue()
objects = [brook, brook.testing, device, program, streams, program.saxpy, program.pairs, program.put, streams.square, streams.look, streams.sum, streams.put, device.zeros((4, 4)), device.zeros(4),
           other.zeros((2, 2)), device.stream((4, 4)), device_queue, device_queue.record(), work, work.sequence, device.record(), brook.transpile("@kernel void f(int *x) { for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) x[i] = j; }", "cuda"), device.info, program.saxpy.parameters[0]]
calls = []
for thing in objects:
    for name in dir(thing):
        # What ends the process, writes files, or takes minutes.
        if name in ("__class__", "__init_subclass__", "__subclasshook__", "load_ipython_extension", "__getattribute__", "__setattr__", "__delattr__", "__dir__", "devices", "__builtins__",
                    "assert_same_on_all_devices", "verify", "__sizeof__", "_seconds", "__loader__", "__spec__", "annotations"):
            continue
        try:
            found = getattr(thing, name)
        except Exception:
            continue
        if callable(found):
            calls.append((thing, name, found))
words = ["queue", "out", "domain", "dtype", "copy", "stream", "max_version", "dl_device", "name", "language", "include", "math", "flags", "standard", "defines", "relaxed", "T", "cache", "element"]
count = 0
for _ in range(int(sys.argv[3])):
    thing, name, call = draw.choice(calls)
    pool = things()
    try:
        given = [draw.choice(pool)() for _ in range(draw.choice([0, 1, 1, 2, 2, 3, 4, 4]))]
        keywords = {draw.choice(words): draw.choice(pool)() for _ in range(draw.choice([0, 0, 0, 1, 2]))}
    except Exception:
        continue
    # A kernel of OKL may do anything with memory that is too small; these are large enough.
    if call in (program.saxpy, program.pairs, program.put):
        given = [g for g in given if not isinstance(g, (np.ndarray, brook.Array)) or g.size >= 4]
    try:
        made = call(*given, **keywords)
        repr(made)
        count += 1
    except Exception:
        pass
device.synchronize()
print("done", count)
'''


@pytest.mark.parametrize("seed", range(int(os.environ.get("BROOK_PYTHON_SEED", "1")), int(os.environ.get("BROOK_PYTHON_SEED", "1")) + int(os.environ.get("BROOK_PYTHON_ROUNDS", "2"))))
@pytest.mark.parametrize("device", DEVICES)
def test_anything(device, seed, tmp_path):
    done = subprocess.run([sys.executable, "-X", "faulthandler", "-c", PROGRAM, device, str(seed), "3000"], capture_output=True, text=True, timeout=300, cwd=tmp_path,
                          env={**os.environ, "PYTHONMALLOC": "debug"})
    assert done.returncode == 0 and done.stdout.startswith("done"), done.stdout[-2000:] + done.stderr[-4000:]
    assert int(done.stdout.split()[1]) > 100
