"""What all libraries begin with."""

import numpy as np


def start(n):
    u = np.zeros((n, n), np.float32)
    u[0] = 100
    return u


def bodies(n):
    return np.random.default_rng(0).random((n, 4), dtype=np.float32)
