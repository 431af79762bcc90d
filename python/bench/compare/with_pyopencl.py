import numpy as np
import pyopencl as cl
import pyopencl.array as array
from problems import bodies, start

context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)


def saxpy(n):
    kernel = cl.Kernel(cl.Program(context, """
    __kernel void saxpy(const int n, const float a, __global const float *x, __global float *y) {
      const int i = get_global_id(0);
      if (i < n) y[i] += a * x[i];
    }""").build(), "saxpy")
    x, y = array.to_device(queue, np.arange(n, dtype=np.float32)), array.zeros(queue, n, np.float32)
    return lambda: kernel(queue, (-(-n // 256) * 256,), (256,), np.int32(n), np.float32(2), x.data, y.data), y.get, queue.finish


def heat(n):
    kernel = cl.Kernel(cl.Program(context, """
    __kernel void heat(const int n, __global const float *u, __global float *v) {
      const int i = get_global_id(1), j = get_global_id(0);
      if (i > 0 && j > 0 && i < n - 1 && j < n - 1) {
        const int k = i * n + j;
        v[k] = u[k] + 0.2f * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] - 4 * u[k]);
      }
    }""").build(), "heat")
    size = (-(-n // 16) * 16,) * 2
    u, v = array.to_device(queue, start(n)), array.to_device(queue, start(n))
    return lambda: kernel(queue, size, (16, 16), np.int32(n), u.data, v.data), v.get, queue.finish


def mandelbrot(n):
    kernel = cl.Kernel(cl.Program(context, """
    __kernel void mandelbrot(const int n, __global int *count) {
      const int i = get_global_id(1), j = get_global_id(0);
      if (i >= n || j >= n) return;
      const float a = -2.0f + 3.0f * j / n, b = -1.5f + 3.0f * i / n;
      float x = 0, y = 0;
      int k = 0;
      for (; k < 100 && x * x + y * y <= 4; ++k) { const float t = x * x - y * y + a; y = 2 * x * y + b; x = t; }
      count[i * n + j] = k;
    }""").build(), "mandelbrot")
    size = (-(-n // 32) * 32, -(-n // 8) * 8)
    count = array.zeros(queue, (n, n), np.int32)
    return lambda: kernel(queue, size, (32, 8), np.int32(n), count.data), count.get, queue.finish


def nbody(n):
    kernel = cl.Kernel(cl.Program(context, """
    __kernel void nbody(const int n, __global const float4 *p, __global float4 *a) {
      const int i = get_global_id(0);
      if (i >= n) return;
      float x = 0, y = 0, z = 0;
      for (int j = 0; j < n; ++j) {
        const float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
        const float r = dx * dx + dy * dy + dz * dz + 0.01f, s = p[j].w / (r * sqrt(r));
        x += s * dx; y += s * dy; z += s * dz;
      }
      a[i] = (float4)(x, y, z, 0);
    }""").build(), "nbody")
    p, a = array.to_device(queue, bodies(n)), array.zeros(queue, (n, 4), np.float32)
    return lambda: kernel(queue, (-(-n // 64) * 64,), (64,), np.int32(n), p.data, a.data), a.get, queue.finish


def dot(n):
    from pyopencl.reduction import ReductionKernel

    kernel = ReductionKernel(context, np.float32, neutral="0", reduce_expr="a + b", map_expr="x[i] * y[i]",
                             arguments="__global const float *x, __global const float *y")
    x, y = (array.to_device(queue, np.ones(n, np.float32)) for _ in range(2))
    total = []

    def call():
        total[:] = [kernel(x, y).get()]

    return call, lambda: np.array(total), queue.finish
