"""One kernel, the same arguments, every device: what `brook sanitize` and `brook verify` do, of arrays that Python has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._brook import Array, Device, DeviceError, Diagnostic, Kernel, Stream, ToolchainError, devices
from ._brook import _interpret  # pyright: ignore[reportPrivateUsage]

__all__ = ["Difference", "Verification", "sanitize", "verify"]


def _on_host(argument: Any) -> Any:
    return argument.to_numpy() if isinstance(argument, (Array, Stream)) else argument


def sanitize(kernel: Kernel, *arguments: Any) -> tuple[Diagnostic, ...]:
    """Interprets a kernel over copies of its arguments, in three orders of items, and returns what is wrong: races, barriers that not
    all reach, accesses out of bounds, values that nobody has written. Nothing of it is raised.

    Raises CompileError for what the interpreter does not model.
    """
    found, _ = _interpret(kernel, *[_on_host(argument) for argument in arguments])
    return found


@dataclass(frozen=True)
class Difference:
    """Where an array of one device is not that of the first."""

    device: str
    argument: str
    count: int
    """How many elements differ by more than the tolerance."""
    index: tuple[int, ...]
    """Where they differ most."""
    expected: Any
    got: Any

    def __str__(self) -> str:
        place = ", ".join(map(str, self.index))
        return f"{self.device}: {self.argument}[{place}] is {self.got!r}, not {self.expected!r}; {self.count} elements differ"


@dataclass
class Verification:
    """What became of a kernel on every device."""

    reference: str
    """What the others are compared with."""
    devices: list[str] = field(default_factory=lambda: list[str]())
    """Those that ran it, the reference among them."""
    skipped: dict[str, str] = field(default_factory=lambda: dict[str, str]())
    """Those that could not, and why."""
    differences: list[Difference] = field(default_factory=lambda: list[Difference]())
    results: dict[str, list[NDArray[Any] | None]] = field(default_factory=lambda: dict[str, "list[NDArray[Any] | None]"](), repr=False)
    """By device: for each argument, what the kernel left in it if it is an array."""

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        lines = [f"{len(self.devices)} devices agree: {', '.join(self.devices)}"] if self else [str(d) for d in self.differences]
        return "\n".join(lines + [f"{name}: {why}" for name, why in self.skipped.items()])


def verify(
    kernel: Kernel,
    *arguments: Any,
    devices: list[str] | None = None,
    rtol: float = 0.0,
    atol: float = 0.0,
    interpret: bool = True,
) -> Verification:
    """Runs a kernel over copies of its arguments on every device, or those named, and compares all arrays with what the interpreter makes
    of them; without ``interpret``, with those of the first device. Tolerances are as in ``numpy.isclose``; NaN equals NaN.

    Arguments may be of any device and of the host's. Devices that cannot build the kernel are ``skipped``, with the reason; those that
    were named raise it.
    """
    host = [np.array(_on_host(a)) if _is_array(a) else a for a in arguments]
    result = Verification("interpreter" if interpret else "")
    if interpret:
        _, left = _interpret(kernel, *host)
        expected: list[NDArray[Any] | None] = [
            None if bytes_ is None else np.frombuffer(bytes_, given.dtype).reshape(given.shape) for bytes_, given in zip(left, host)
        ]
        result.devices.append("interpreter")
        result.results["interpreter"] = expected
    for name in devices if devices is not None else _usable():
        try:
            got = _run(kernel, name, host)
        except (DeviceError, ToolchainError) as error:
            if devices is not None:
                raise
            result.skipped[name] = str(error)
            continue
        result.devices.append(name)
        result.results[name] = got
        if not result.reference:
            result.reference = name
            continue
        for parameter, one, other in zip(kernel.parameters, result.results[result.reference], got):
            if one is not None and other is not None:
                found = _difference(name, parameter.name, one, other, rtol, atol)
                if found is not None:
                    result.differences.append(found)
    return result


def _usable() -> list[str]:
    return [info.name for info in devices() if info.compiler is not None]


def _is_array(argument: Any) -> bool:
    return isinstance(argument, (Array, Stream)) or getattr(argument, "ndim", 0) > 0


def _run(kernel: Kernel, name: str, host: list[Any]) -> list[NDArray[Any] | None]:
    device = Device(name)
    language = kernel._language  # pyright: ignore[reportPrivateUsage]
    here = kernel.on(device)
    given: list[Any] = []
    for parameter, argument in zip(kernel.parameters, host):
        if not _is_array(argument):
            given.append(argument)
        elif language == "brook":
            if parameter.role == "gather" and parameter.extents:
                given.append(argument)
            else:
                given.append(device.stream_of(argument, parameter.type if argument.dtype.kind != "V" else None))
        else:
            given.append(device.array(argument))
    here(*given)
    device.synchronize()
    return [argument.to_numpy() if isinstance(argument, (Array, Stream)) else None for argument in given]


def _difference(device: str, argument: str, expected: NDArray[Any], got: NDArray[Any], rtol: float, atol: float) -> Difference | None:
    if expected.dtype.fields is not None:
        equal = np.asarray(expected == got)
        distance = np.where(equal, 0.0, 1.0)
    elif expected.dtype.kind in "fc":
        equal = np.isclose(got, expected, rtol=rtol, atol=atol, equal_nan=True)
        with np.errstate(all="ignore"):
            distance = np.where(equal, 0.0, np.nan_to_num(np.abs(got - expected), nan=np.inf))
    else:
        equal = np.asarray(expected == got)
        distance = np.where(equal, 0.0, np.abs(got.astype(np.float64) - expected.astype(np.float64)))
    if bool(equal.all()):
        return None
    place = np.unravel_index(int(np.argmax(distance)), expected.shape)
    index = tuple(int(n) for n in place)
    return Difference(device, argument, int((~equal).sum()), index, expected[index], got[index])
