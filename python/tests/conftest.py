"""What tests share: the devices that they run on, and whether other libraries have to be there.

``BROOK_PYTHON_DEVICES`` names the devices, separated by commas; each has to open. ``BROOK_PYTHON_REQUIRE`` names the libraries whose
tests must not be skipped: ``torch,cupy,jax``.
"""

from __future__ import annotations

import importlib
import os
import types
import warnings

import brook
import pytest

DEVICES = os.environ.get("BROOK_PYTHON_DEVICES", "openmp:0,opencl:0").split(",")
REQUIRED = [name for name in os.environ.get("BROOK_PYTHON_REQUIRE", "").split(",") if name]


@pytest.fixture(params=DEVICES, scope="session")
def device(request: pytest.FixtureRequest) -> brook.Device:
    return brook.Device(request.param)


@pytest.fixture(scope="session")
def host() -> brook.Device:
    return brook.Device("openmp")


def library(name: str) -> types.ModuleType:
    """Another library; its tests are skipped, with a message, where it is neither there nor required."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError as error:
        if name in REQUIRED:
            raise
        pytest.skip(f"{name} is not installed: {error}")


SAXPY = """
@kernel void saxpy(const int n, const float a, const float *x, float *y) {
  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) y[i] += a * x[i];
}
"""


@pytest.fixture(scope="session")
def saxpy(device: brook.Device) -> brook.Kernel:
    return device.build_source(SAXPY, name="saxpy.okl").saxpy
