import os

import brook
import numpy as np
from problems import bodies, start

device = brook.Device(os.environ.get("COMPARE_DEVICE", "openmp"))


def saxpy(n):
    kernel = device.build_source("""
    @kernel void saxpy(const int n, const float a, const float *x, float *y) {
      for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) y[i] += a * x[i];
    }""").saxpy
    x, y = device.array(np.arange(n, dtype=np.float32)), device.zeros(n)
    return lambda: kernel(n, 2.0, x, y), y.to_numpy, device.synchronize


def heat(n):
    kernel = device.build_source("""
    @kernel void heat(const int n, const float *u, float *v) {
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner))
        for (int j = 0; j < n; ++j; @tile(16, @outer, @inner))
          if (i > 0 && j > 0 && i < n - 1 && j < n - 1) {
            const int k = i * n + j;
            v[k] = u[k] + 0.2f * (u[k - 1] + u[k + 1] + u[k - n] + u[k + n] - 4 * u[k]);
          }
    }""").heat
    u, v = device.array(start(n)), device.array(start(n))
    return lambda: kernel(n, u, v), v.to_numpy, device.synchronize


def mandelbrot(n):
    kernel = device.build_source("""
    @kernel void mandelbrot(const int n, int *count) {
      for (int i = 0; i < n; ++i; @tile(8, @outer, @inner))
        for (int j = 0; j < n; ++j; @tile(32, @outer, @inner)) {
          const float a = -2.0f + 3.0f * j / n, b = -1.5f + 3.0f * i / n;
          float x = 0, y = 0;
          int k = 0;
          for (; k < 100 && x * x + y * y <= 4; ++k) { const float t = x * x - y * y + a; y = 2 * x * y + b; x = t; }
          count[i * n + j] = k;
        }
    }""").mandelbrot
    count = device.zeros((n, n), np.int32)
    return lambda: kernel(n, count), count.to_numpy, device.synchronize


def nbody(n):
    kernel = device.build_source("""
    @kernel void nbody(const int n, const float4 *p, float4 *a) {
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < n; ++j) {
          const float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
          const float r = dx * dx + dy * dy + dz * dz + 0.01f, s = p[j].w / (r * sqrt(r));
          x += s * dx; y += s * dy; z += s * dz;
        }
        a[i].x = x; a[i].y = y; a[i].z = z; a[i].w = 0;
      }
    }""").nbody
    p, a = device.array(bodies(n)), device.zeros((n, 4))
    return lambda: kernel(n, p, a), a.to_numpy, device.synchronize


def dot(n):
    program = device.build_source("""
    kernel void multiply(float x<>, float y<>, out float z<>) { z = x * y; }
    reduce void sum(float z<>, reduce float total<>) { total += z; }""", language="brook")
    x, y, z = (device.stream_of(np.ones(n, np.float32)) for _ in range(3))
    total = []

    def call():
        program.multiply(x, y, z)
        total[:] = [program.sum(z)]

    return call, lambda: np.array(total), device.synchronize
