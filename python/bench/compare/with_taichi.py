import numpy as np
import taichi as ti
from problems import bodies, start

ti.init(arch=ti.cpu, offline_cache=False, log_level=ti.WARN)


def saxpy(n):
    @ti.kernel
    def kernel(a: ti.f32, x: ti.types.ndarray(ti.f32, 1), y: ti.types.ndarray(ti.f32, 1)):
        for i in x:
            y[i] += a * x[i]

    x, y = ti.ndarray(ti.f32, n), ti.ndarray(ti.f32, n)
    x.from_numpy(np.arange(n, dtype=np.float32))
    return lambda: kernel(2.0, x, y), y.to_numpy, ti.sync


def heat(n):
    @ti.kernel
    def kernel(n: ti.i32, u: ti.types.ndarray(ti.f32, 2), v: ti.types.ndarray(ti.f32, 2)):
        for i, j in ti.ndrange((1, n - 1), (1, n - 1)):
            v[i, j] = u[i, j] + 0.2 * (u[i, j - 1] + u[i, j + 1] + u[i - 1, j] + u[i + 1, j] - 4 * u[i, j])

    u, v = ti.ndarray(ti.f32, (n, n)), ti.ndarray(ti.f32, (n, n))
    u.from_numpy(start(n))
    v.from_numpy(start(n))
    return lambda: kernel(n, u, v), v.to_numpy, ti.sync


def mandelbrot(n):
    @ti.kernel
    def kernel(n: ti.i32, count: ti.types.ndarray(ti.i32, 2)):
        for i, j in count:
            a, b = -2.0 + 3.0 * j / n, -1.5 + 3.0 * i / n
            x, y, k = 0.0, 0.0, 0
            while k < 100 and x * x + y * y <= 4:
                x, y = x * x - y * y + a, 2 * x * y + b
                k += 1
            count[i, j] = k

    count = ti.ndarray(ti.i32, (n, n))
    return lambda: kernel(n, count), count.to_numpy, ti.sync


def nbody(n):
    vector = ti.types.vector(4, ti.f32)

    @ti.kernel
    def kernel(n: ti.i32, p: ti.types.ndarray(vector, 1), a: ti.types.ndarray(vector, 1)):
        for i in p:
            x, y, z = 0.0, 0.0, 0.0
            for j in range(n):
                d = p[j] - p[i]
                r = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01
                s = p[j][3] / (r * ti.sqrt(r))
                x += s * d[0]
                y += s * d[1]
                z += s * d[2]
            a[i] = ti.Vector([x, y, z, 0.0])

    p, a = ti.Vector.ndarray(4, ti.f32, n), ti.Vector.ndarray(4, ti.f32, n)
    p.from_numpy(bodies(n))
    return lambda: kernel(n, p, a), a.to_numpy, ti.sync


def dot(n):
    @ti.kernel
    def kernel(x: ti.types.ndarray(ti.f32, 1), y: ti.types.ndarray(ti.f32, 1)) -> ti.f32:
        total = 0.0
        for i in x:
            total += x[i] * y[i]
        return total

    x, y = ti.ndarray(ti.f32, n), ti.ndarray(ti.f32, n)
    x.fill(1)
    y.fill(1)
    total = []

    def call():
        total[:] = [kernel(x, y)]

    return call, lambda: np.array(total), ti.sync
