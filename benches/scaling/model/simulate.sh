#!/bin/sh
# Runs the schedules on a simulated fat tree of 1 024 nodes; writes lines that model.py sets beside its formulas.
#   simulate.sh [constants.json [most processes, 4096 unless said]] > simulated.txt
# Wants libsimgrid-dev and simgrid (3.32), a C++ compiler and Python 3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
constants=${1:-$here/constants.json} most=${2:-4096}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number() { sed -n "s/^#define $1 //p" "$work/constants.h"; }
# Steps have messages of their own: from GPU to GPU, or by the host.
build() {
    python3 "$here/model.py" "$constants" --header "$1" > "$work/constants.h"
    c++ -O1 -std=c++17 -fPIC -shared -I"$work" "$here/platform.cpp" -o "$work/platform.so" -lsimgrid
    smpicc -O2 -I"$work" "$here/schedule.c" -o "$work/schedule" -lm
}
build triad
seq 0 $((1024 * $(number GPUS_PER_NODE) - 1)) | sed 's/^/gpu/' > "$work/hosts"
# What a level of an all-reduce takes beside the message's latency.
over=$(python3 -c "print(max(0, $(number ALLREDUCE_NET) - $(number MPI_NET_LATENCY)))")
run() { # processes, and what schedule.c takes
    count=$1; shift
    # Times are those that the program says; none is taken of this machine. Messages flow at the links' rate.
    smpirun -no-privatize -platform "$work/platform.so" -hostfile "$work/hosts" -np "$count" \
        --cfg=network/model:CM02 --cfg=network/TCP-gamma:0 --cfg=network/crosstraffic:0 --cfg=smpi/simulate-computation:no --cfg=smpi/cpu-threshold:0 \
        --cfg=smpi/host-speed:1Gf --cfg=smpi/wtime:0 --cfg=smpi/os:0:"$over":0 \
        --cfg=smpi/allreduce:rdb --cfg=smpi/allgather:rdb --cfg=smpi/bcast:binomial_tree --cfg=contexts/stack-size:256 --log=root.thresh:critical \
        "$work/schedule" "$@" > "$work/said" || { cat "$work/said" >&2; exit 1; }
    grep "^$1 $2 " "$work/said" || : # nothing where there are fewer rows than processes
}
for step in triad stencil sum cg; do
    build $step
    for scaling in weak strong; do
        run 1 $step $scaling
        for count in 2 4 8; do
            [ $step = cg ] || run 1 $step $scaling $count
        done
        for count in 2 4 8 64 512 4096; do
            # Strong scaling of one GPU's work ends long before.
            [ $scaling = weak ] || [ $count -le 64 ] || continue
            [ $count -gt "$most" ] || run $count $step $scaling
        done
    done
done
