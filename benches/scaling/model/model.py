#!/usr/bin/env python3
"""What a step of brook costs on many GPUs: closed formulas over constants that are measured on few.

    model.py constants.json                    predicted times, as Markdown
    model.py constants.json times.txt ...      the same beside given times: lines of step, weak or strong, process or processes, GPUs,
                                               microseconds; those that are measured, or what simulate.sh writes
    model.py constants.json --sensitivity      what 20 % more or less of each constant does
    model.py constants.json --header STEP      the constants for schedule.c

A step is what benches/scaling calls one. `process` has all GPUs in one process; `processes` have one each, some to a node.
"""

import json
import math
import sys
from dataclasses import dataclass, replace
from typing import Any, Callable, Optional, Sequence

UNITS = {"us": 1e-6, "ns": 1e-9, "GB/s": 1e9, "1": 1.0}
FLOAT, DOUBLE = 4, 8
NODES = 8 ** 3  # of an element of degree 7
ON_SURFACE = NODES - 6 ** 3  # of these
# Bytes of a node: seven factors, the vector and the result; two vectors and a weight; six arrays read and three written; two read, one written.
OPERATOR, DOT, STEP, DIRECTION = 9 * DOUBLE, 3 * DOUBLE, 9 * DOUBLE, 3 * DOUBLE
JOINED = 2 * DOUBLE + 4  # a value that is read and written, and its index
PLACES = [("process", p) for p in (1, 2, 4, 8)] + [("processes", p) for p in (2, 4, 8, 64, 512, 4096, 8192)]


@dataclass(frozen=True)
class Machine:
    """Constants in seconds, bytes and bytes a second, and sizes."""

    constants: dict[str, float]
    sizes: dict

    def __getattr__(self, name: str) -> Any:
        return self.constants[name] if name in self.constants else self.sizes[name]

    @staticmethod
    def of_file(path: str) -> "Machine":
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        return Machine({c["name"]: c["value"] * UNITS[c["unit"]] for c in data["constants"]}, data["sizes"])

    def for_step(self, name: str) -> "Machine":
        """With messages as the step has them: sets go from GPU to GPU, gather-scatter by the host."""
        return replace(self, sizes={**self.sizes, "direct": self.gather_direct if name == "cg" else self.sets_direct})

    def times(self, name: str, factor: float) -> "Machine":
        return replace(self, constants={**self.constants, name: self.constants[name] * factor})

    def memory(self, count: float, fraction: float = 1.0) -> float:
        return count / (self.memory_bandwidth * fraction)

    def host_copy(self, count: float) -> float:
        """From the device to the host, or back; nothing where messages go from GPU to GPU."""
        return 0.0 if self.direct else self.host_copy_latency + count / self.host_copy_bandwidth

    def launched(self, kernels: Sequence[float], host: float = 0.0, device: float = 0.0) -> tuple[float, float]:
        """When the host and the device are through with kernels in one queue."""
        for kernel in kernels:
            host += self.launch_host
            device = max(host, device) + self.launch_device + kernel
        return host, device

    def message(self, gpus: int, count: float, lead: float = 0.0) -> float:
        """From both neighbours in a line of processes, for the one that waits longest; the first was sent so much before."""
        # Who is not at the end of a line has two neighbours, in the same node if there are three or more: one core copies from both.
        inside = 1 if min(gpus, self.gpus_per_node) == 2 else 2
        way = "nccl" if self.direct else "mpi_node"
        latency, bandwidth = self.constants[way + "_latency"], self.constants[way + "_bandwidth"]
        worst = latency + max(inside * count / bandwidth - lead, count / bandwidth) if self.gpus_per_node > 1 else 0.0
        if gpus > self.gpus_per_node:
            # A node sends two, one up and one down the line.
            share = 2 if self.adapters_per_node == 1 else 1
            latency = self.direct_latency if self.direct else self.mpi_net_latency
            worst = max(worst, latency + max(share * count / self.mpi_net_bandwidth - lead, count / self.mpi_net_bandwidth))
        return worst

    def allreduce(self, gpus: int) -> float:
        """Of a few numbers, by recursive doubling: levels within a node, then between nodes."""
        inside = math.ceil(math.log2(min(gpus, self.gpus_per_node)))
        return inside * self.allreduce_node + (math.ceil(math.log2(gpus)) - inside) * self.allreduce_net


Step = Callable[[Machine, str, int, int], Optional[float]]


def bookkeeping(m: Machine, place: str, gpus: int) -> tuple[float, int]:
    """Host time of a call of a set, and how many devices the process launches on. Each process looks after all parts."""
    if gpus == 1:
        return 0.0, 1
    return gpus * m.bookkeeping, gpus if place == "process" else 1


def triad(m: Machine, place: str, gpus: int, times: int) -> Optional[float]:
    rows = m.plane[1] * times
    if rows < gpus:
        return None
    kept, own = bookkeeping(m, place, gpus)
    work = m.memory(3 * FLOAT * m.plane[0] * math.ceil(rows / gpus))
    # Nobody waits: the host is ahead of the devices, or they wait for it.
    return max(kept + own * m.launch_host, m.launch_device + work)


def stencil(m: Machine, place: str, gpus: int, times: int) -> Optional[float]:
    planes, plane = m.block[2] * times, FLOAT * m.block[0] * m.block[1]
    if planes < gpus:
        return None
    rows, row = math.ceil(planes / gpus), m.memory(2 * plane, m.stencil_fraction)
    kept, own = bookkeeping(m, place, gpus)
    if gpus == 1:
        return 2 * max(m.launch_host, m.launch_device + rows * row)
    sides = 1 if gpus == 2 else 2
    # As `interior` in spread/map.rs decides; both ends are launched apart then.
    within = rows >= 4 and rows * plane >= m.least_bytes
    whole = m.launch_device + rows * row
    ends = 2 * (m.launch_device + row) + m.event
    if place == "process":
        copies = sides * (m.peer_latency + plane / m.peer_bandwidth)
        enqueued = kept + gpus * m.queue_call + 2 * (gpus - 1) * m.copy_host + own * m.launch_host * (3 if within else 1)
        device = max(whole + m.event, copies + ends) if within else copies + m.event + whole
        return 2 * max(enqueued, device)
    # The host waits for each copy: to its memory, in a message, and to the device.
    direct = sides * m.queue_call if m.direct else 0.0
    bring = 2 * sides * m.host_copy(plane) + m.message(gpus, plane, m.host_copy(plane)) + direct
    if not within:
        return 2 * (max(kept, m.launch_device) + bring + m.launch_host + m.event + whole)
    # While it launches the ends and looks after the next call, they run already.
    behind = max(kept + m.launch_host, ends - m.launch_host)
    return 2 * max(whole + m.event, behind + bring + 2 * m.launch_host)


def total(m: Machine, place: str, gpus: int, times: int) -> Optional[float]:
    """The sum of a stream into a variable of the host."""
    rows = m.plane[1] * times
    if rows < gpus:
        return None
    (kept, own), work = bookkeeping(m, place, gpus), m.memory(FLOAT * m.plane[0] * math.ceil(rows / gpus), m.sum_fraction)
    # Devices begin one after the other, and the host makes one number of what each leaves in its memory.
    begun = kept + (own - 1) * (m.reduction_host + m.launch_host) + m.reduction_host
    _, device = m.launched([work], begun)
    # Processes give each other theirs, in as many levels as numbers are reduced in.
    return device + m.read + (m.gather + m.allreduce(gpus) if place == "processes" and gpus > 1 else 0.0)


def gradients(m: Machine, place: str, gpus: int, times: int) -> Optional[float]:
    """An iteration of conjugate gradients; boxes of elements stand on top of each other."""
    layers, layer = m.side * times, m.side ** 2
    if layers < gpus or place == "process" and gpus > 1:
        return None
    layers = math.ceil(layers / gpus)
    nodes = layers * layer * NODES
    operator = m.memory(layer * NODES * OPERATOR, m.operator_fraction)  # of a layer
    join = m.memory(layers * layer * ON_SURFACE * JOINED, m.join_fraction)
    dot, direction, step = (m.memory(nodes * each) for each in (DOT, DIRECTION, STEP))
    reads = 2 * m.read_blocks + 3 * m.blocks * DOUBLE / m.host_copy_bandwidth  # sums of each block, once and twice
    if gpus == 1:
        _, device = m.launched([direction, layers * operator, join, dot])
    else:
        face = (7 * m.side + 1) ** 2
        sides = 1 if gpus == 2 else 2
        shared = sides * face
        ends = min(sides, layers)
        host, device = m.launched([direction] + ends * [operator] + [m.memory(shared * 2 * JOINED)])
        host += 4 * m.queue_call
        fetched = max(host, device + m.event) + m.host_copy(shared * DOUBLE)
        inner = [(layers - ends) * operator] if layers > ends else []
        host, within = m.launched(inner + [join], host, device)
        pack, joined = face * m.host_pack, shared * m.host_join
        if m.direct:
            pack, joined = 0.0, m.launch_host + m.launch_device + m.memory(shared * 3 * DOUBLE)
        came = max(host, fetched) + sides * pack + m.message(gpus, face * DOUBLE, pack) + joined
        put = max(m.host_copy(shared * DOUBLE) + m.event, 2 * m.queue_call)
        # What comes back is scattered behind all that runs beside it.
        host, device = m.launched([m.memory(shared * 2 * JOINED)], came + 2 * m.queue_call, max(within, came + put))
        host, device = m.launched([dot], host, device)
    _, stepped = m.launched([step])
    return device + stepped + reads + 2 * m.allreduce(gpus)


STEPS: dict[str, Step] = {"triad": triad, "stencil": stencil, "sum": total, "cg": gradients}


def time_of(m: Machine, name: str, scaling: str, place: str, gpus: int) -> Optional[float]:
    return STEPS[name](m.for_step(name), place, gpus, gpus if scaling == "weak" else m.strong_times)


def efficiency(m: Machine, name: str, gpus: int) -> float:
    one, all_of_them = (time_of(m, name, "weak", "processes", count) for count in (1, gpus))
    return (one or 0.0) / (all_of_them or math.inf)


def tables(m: Machine, given: dict[tuple[str, str, str, int], float]) -> None:
    for name in STEPS:
        more = " given | difference |" if given else ""
        print(f"\n### {name}\n\n| GPUs | weak, us |{more} efficiency | strong, us |{more} times as fast |")
        print("|" + "---|" * (9 if given else 5))
        for place, gpus in PLACES:
            cells = [f"{gpus} of one process" if place == "process" else f"{gpus} processes"]
            if gpus > m.most_parts and name != "cg":
                cells[0] += " (*)"
            for scaling in ("weak", "strong"):
                time, one = (time_of(m, name, scaling, place, count) for count in (gpus, 1))
                found = given.get((name, scaling, place, gpus))
                cells.append(f"{time * 1e6:.1f}" if time else "–")
                if given:
                    cells.append(f"{found:.1f}" if found else "")
                    cells.append(f"{time * 1e6 / found - 1:+.1%}" if time and found else "")
                cells.append(f"{one / time:.3f}" if time and one else "–")
            print("| " + " | ".join(cells) + " |")
    print(f"\n(*) A set has {m.most_parts} devices at most: what it would take.")


def sensitivity(m: Machine, counts: tuple[int, ...] = (4, 4096)) -> None:
    """Changes of weak efficiency, in hundredths, for 20 % more and 20 % less of each constant; `.` where less than 0.1."""
    columns = [(name, gpus) for gpus in counts for name in STEPS]
    print("| constant | " + " | ".join(f"{name}, {gpus}" for name, gpus in columns) + " |\n" + "|---" * (len(columns) + 1) + "|")
    for constant in m.constants:
        cells = []
        for name, gpus in columns:
            moved = [100 * (efficiency(m.times(constant, by), name, gpus) - efficiency(m, name, gpus)) for by in (1.2, 0.8)]
            cells.append(" / ".join(f"{x:+.1f}" for x in moved) if max(map(abs, moved)) >= 0.1 else ".")
        if any(cell != "." for cell in cells):
            print(f"| {constant} | " + " | ".join(cells) + " |")


def header(m: Machine, name: str) -> None:
    for name, value in (m.constants | m.for_step(name).sizes).items():
        print(f"#define {name.upper()} {'{' + str(value)[1:-1] + '}' if isinstance(value, list) else value}")


def main(path: str, *rest: str) -> None:
    m, given = Machine.of_file(path), {}
    if rest and rest[0].startswith("--"):
        return sensitivity(m) if rest[0] == "--sensitivity" else header(m, rest[1])
    for name in rest:
        with open(name, encoding="utf-8") as file:
            for step, scaling, place, gpus, microseconds in (line.split()[:5] for line in file if line.strip() and line[0] != "#"):
                given[step, scaling, place, int(gpus)] = float(microseconds)
    tables(m, given)


if __name__ == "__main__":
    main(*sys.argv[1:])
