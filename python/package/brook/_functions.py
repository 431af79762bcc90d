"""Kernels without a device at hand: built for the device that the first array is on."""

from __future__ import annotations

import functools
import inspect
import os
import threading
from collections.abc import Callable
from typing import Any, overload

import numpy as np

from ._brook import Array, Device, Kernel, Program, Queue, Stream

_lock = threading.Lock()
_default: Device | None = None


def default_device() -> Device:
    """The device of what names none: that of ``BROOK_DEVICE``, else the best there is. It is chosen once."""
    global _default
    with _lock:
        if _default is None:
            _default = Device()
        return _default


@functools.cache
def _open(name: str) -> Device:
    return Device(name)


def _device_of(arguments: tuple[Any, ...]) -> Device:
    """The device that the first array is on, which decides where a kernel runs."""
    for argument in arguments:
        if isinstance(argument, (Array, Stream)):
            return argument.device
        if isinstance(argument, np.ndarray):
            return _open("openmp:0")
        where = getattr(argument, "__dlpack_device__", None)
        if where is not None:
            kind, number = where()
            name = {1: "openmp:0", 3: "openmp:0", 10: f"hip:{number}"}.get(int(kind), f"cuda:{number}")
            return _open(name)
        if hasattr(argument, "__cuda_array_interface__"):
            return _open("cuda:0")
    return default_device()


class LazyProgram:
    """A source, built for each device when one of its kernels is first called there. Kernels are its attributes."""

    def __init__(self, text: str, name: str, language: str | None, options: dict[str, Any], device: Device | None = None) -> None:
        self._text = text
        self._name = name
        self._language = language
        self._options = options
        self._device = device
        self._programs: dict[str, Program] = {}
        self._turn = threading.Lock()

    def on(self, device: Device) -> Program:
        """The program for a device."""
        with self._turn:
            program = self._programs.get(device.name)
            if program is None:
                program = device.build_source(self._text, name=self._name, language=self._language, **self._options)
                self._programs[device.name] = program
            return program

    def __getattr__(self, name: str) -> LazyKernel:
        if name.startswith("__"):
            raise AttributeError(name)
        return LazyKernel(self, name)

    def __getitem__(self, name: str) -> LazyKernel:
        return LazyKernel(self, name)

    def __dir__(self) -> list[str]:
        known = [name for program in self._programs.values() for name in program.kernels]
        return [*super().__dir__(), *known]

    def __repr__(self) -> str:
        return f"<brook.LazyProgram {self._name}>"


class LazyKernel:
    """A kernel of a source, called as those of a ``Program`` are; it runs where its first array is."""

    def __init__(self, program: LazyProgram, name: str | None) -> None:
        self._program = program
        self._kernel_name = name
        # By device; most kernels are called on one.
        self._kernels: dict[str, Kernel] = {}

    def on(self, device: Device) -> Kernel:
        """The kernel for a device."""
        kernel = self._kernels.get(device.name)
        if kernel is None:
            program = self._program.on(device)
            name = self._kernel_name
            if name is None:
                if len(program) != 1:
                    raise ValueError(f"the source has {len(program)} kernels ({', '.join(program.kernels)}): say which, as kernel.{next(iter(program), 'name')}")
                name = program.kernels[0]
            kernel = program[name] if "<" in name else getattr(program, name)
            assert isinstance(kernel, Kernel)
            self._kernels[device.name] = kernel
        return kernel

    def __call__(self, *arguments: Any, queue: Queue | None = None, domain: Any = None) -> Any:
        device = self._program._device or _device_of(arguments)  # pyright: ignore[reportPrivateUsage]
        return self.on(device)(*arguments, queue=queue, domain=domain)

    def __getattr__(self, name: str) -> LazyKernel:
        if name.startswith("__") or self._kernel_name is not None:
            raise AttributeError(name)
        return LazyKernel(self._program, name)

    @property
    def __name__(self) -> str:
        """The kernel's name, where that is said, else what its source is called."""
        return self._kernel_name or repr(self._program)

    def __repr__(self) -> str:
        return f"<brook.LazyKernel {self._kernel_name or self._program!r}>"


@overload
def kernel(source: str, /, *, language: str | None = None, device: Device | None = None, **options: Any) -> LazyKernel: ...
@overload
def kernel(source: Callable[..., Any], /) -> LazyKernel: ...
@overload
def kernel(*, language: str | None = None, device: Device | None = None, **options: Any) -> Callable[[Callable[..., Any]], LazyKernel]: ...


def kernel(
    source: str | Callable[..., Any] | None = None,
    /,
    *,
    language: str | None = None,
    device: Device | None = None,
    **options: Any,
) -> LazyKernel | Callable[[Callable[..., Any]], LazyKernel]:
    """A kernel of a string, or of the string that is a function's docstring or that the function returns:

    >>> import brook, numpy as np
    >>> @brook.kernel
    ... def square():
    ...     '''kernel void square(float x<>, out float y<>) { y = x * x; }'''
    >>> square(np.array([1, 2, 3], dtype=np.float32))
    array([1., 4., 9.], dtype=float32)

    The language is Brook+ unless the text has ``@kernel``. It is built for the device of the first array, at the first call there;
    options are those of ``Device.build``. Several kernels of one string are its attributes.
    """
    if source is None:
        return lambda function: kernel(_text_of(function), language=language, device=device, **options)
    name = None
    if not isinstance(source, str):
        if not callable(source):
            raise TypeError(f"a kernel is made of a string or of a function with one, not of {type(source).__name__}")
        name = getattr(source, "__name__", None)
        source = _text_of(source)
    if language is None:
        language = "okl" if "@kernel" in source else "brook"
    program = LazyProgram(source, f"{name or 'kernel'}.{'br' if language == 'brook' else 'okl'}", language, options, device)
    return LazyKernel(program, None)


def _text_of(function: Callable[..., Any]) -> str:
    text = function.__doc__
    if text is None:
        made = function()
        if not isinstance(made, str):
            raise TypeError(f"{function} has no docstring and returns no string: there is no source")
        text = made
    return inspect.cleandoc(text)


def load(path: str | os.PathLike[str], *, device: Device | None = None, **options: Any) -> Program | LazyProgram:
    """The kernels of a file as functions: OKL, or Brook+ where its name ends in ``.br``.

    Without a device each kernel runs where its first array is; a relative path is that from the working directory. What is wrong with
    the source is said at once, as ``CompileError``.
    """
    if device is not None:
        return device.build(path, **options)
    path = os.fspath(path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    program = LazyProgram(text, path, None, options)
    _check(text, path, options)
    return program


def _check(text: str, path: str, options: dict[str, Any]) -> None:
    from ._brook import transpile

    known = {name: value for name, value in options.items() if name not in ("flags", "math", "standard", "cache")}
    transpile(text, "openmp", name=path, **known)


