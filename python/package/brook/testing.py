"""For tests of kernels: the same results on all devices."""

from __future__ import annotations

from typing import Any

from ._brook import Kernel
from ._verify import Verification, sanitize, verify

__all__ = ["assert_clean", "assert_same_on_all_devices"]


def assert_same_on_all_devices(
    kernel: Kernel,
    *arguments: Any,
    devices: list[str] | None = None,
    rtol: float = 0.0,
    atol: float = 0.0,
    interpret: bool = True,
) -> Verification:
    """Fails where a kernel leaves something else in its arrays on one device than on another: see ``brook.verify``. At least two must
    have run it, the interpreter counted.
    """
    __tracebackhide__ = True
    found = verify(kernel, *arguments, devices=devices, rtol=rtol, atol=atol, interpret=interpret)
    if not found:
        raise AssertionError(str(found))
    if len(found.devices) < 2:
        raise AssertionError(f"there is nothing to compare: {found}")
    return found


def assert_clean(kernel: Kernel, *arguments: Any) -> None:
    """Fails where the interpreter finds anything wrong with a kernel: see ``brook.sanitize``."""
    __tracebackhide__ = True
    found = sanitize(kernel, *arguments)
    if found:
        raise AssertionError("\n\n".join(map(str, found)))
