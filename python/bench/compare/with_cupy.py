import cupy
import numpy as np
from problems import bodies, start


def saxpy(n):
    kernel = cupy.RawKernel("""
    extern "C" __global__ void saxpy(const int n, const float a, const float *x, float *y) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] += a * x[i];
    }""", "saxpy")
    x, y = cupy.arange(n, dtype=cupy.float32), cupy.zeros(n, cupy.float32)
    return lambda: kernel((-(-n // 256),), (256,), (np.int32(n), np.float32(2), x, y)), y.get, cupy.cuda.Device().synchronize


def heat(n):
    kernel = cupy.RawKernel("""
    extern "C" __global__ void heat(const int n, const float *u, float *v) {
      const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
      if (i > 0 && j > 0 && i < n - 1 && j < n - 1) {
        const int k = i * n + j;
        v[k] = u[k] + 0.2f * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] - 4 * u[k]);
      }
    }""", "heat")
    size = (-(-n // 16),) * 2
    u, v = cupy.asarray(start(n)), cupy.asarray(start(n))
    return lambda: kernel(size, (16, 16), (np.int32(n), u, v)), v.get, cupy.cuda.Device().synchronize


def mandelbrot(n):
    kernel = cupy.RawKernel("""
    extern "C" __global__ void mandelbrot(const int n, int *count) {
      const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n || j >= n) return;
      const float a = -2.0f + 3.0f * j / n, b = -1.5f + 3.0f * i / n;
      float x = 0, y = 0;
      int k = 0;
      for (; k < 100 && x * x + y * y <= 4; ++k) { const float t = x * x - y * y + a; y = 2 * x * y + b; x = t; }
      count[i * n + j] = k;
    }""", "mandelbrot")
    size = (-(-n // 32), -(-n // 8))
    count = cupy.zeros((n, n), cupy.int32)
    return lambda: kernel(size, (32, 8), (np.int32(n), count)), count.get, cupy.cuda.Device().synchronize


def nbody(n):
    kernel = cupy.RawKernel("""
    extern "C" __global__ void nbody(const int n, const float4 *p, float4 *a) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i >= n) return;
      float x = 0, y = 0, z = 0;
      for (int j = 0; j < n; ++j) {
        const float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
        const float r = dx * dx + dy * dy + dz * dz + 0.01f, s = p[j].w / (r * sqrtf(r));
        x += s * dx; y += s * dy; z += s * dz;
      }
      a[i] = make_float4(x, y, z, 0);
    }""", "nbody")
    p, a = cupy.asarray(bodies(n)), cupy.zeros((n, 4), cupy.float32)
    return lambda: kernel((-(-n // 64),), (64,), (np.int32(n), p, a)), a.get, cupy.cuda.Device().synchronize


def dot(n):
    kernel = cupy.ReductionKernel("float32 x, float32 y", "float32 total", "x * y", "a + b", "total = a", "0", "dot")
    x, y = (cupy.ones(n, cupy.float32) for _ in range(2))
    total = []

    def call():
        total[:] = [kernel(x, y).get()]

    return call, lambda: np.array(total), cupy.cuda.Device().synchronize
