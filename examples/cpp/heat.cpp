// The heat equation on a square, u_t = u_xx + u_yy, that is 0 at its edges and begins as sin(pi x) sin(pi y): what comes of
// it is known, exp(-2 pi^2 t) sin(pi x) sin(pi y), and compared.
//
//     heat [DEVICE [POINTS [STEPS]]]        heat cuda:0 512 10000
//
// It shows devices, kernels that are part of the program, memory, launches, a queue of its own whose copies go on beside
// the computation, events, and errors.
#include "heat_kernels.h" // made of kernels/heat.okl by CMakeLists.txt

#include <brook/okl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

const double pi = 3.14159265358979323846;

std::vector<float> initial(int n) {
    std::vector<float> u(static_cast<std::size_t>(n) * n);
    for (int y = 0; y < n; ++y) {
        for (int x = 0; x < n; ++x) {
            const double h = pi / (n + 1);
            u[static_cast<std::size_t>(y) * n + x] = static_cast<float>(std::sin(h * (x + 1)) * std::sin(h * (y + 1)));
        }
    }
    return u;
}

// Whether the result is that of the equation.
bool solve(const brook::Device &device, int n, int steps) {
    const brook::Program program = brook::Program::embedded(device, heat_kernels, "heat.okl");
    const brook::Kernel step = program.kernel("step"), row_peaks = program.kernel("row_peaks");

    const float r = 0.2f; // up to 1/4 the steps are stable
    const double h = 1.0 / (n + 1), end = steps * r * h * h;
    brook::Memory<float> u(device, initial(n)), next(device, u.size()), peaks(device, n);

    // Everything in one queue is done in order; the device's own is for those who name none.
    const brook::Queue compute(device), copies(device);
    brook::Pinned<float> seen(device, n);
    const brook::Event begin = compute.record();
    for (int i = 0; i < steps; ++i) {
        if (i == steps / 2) {
            // Half way: a look at the rows, whose copy to the host goes on while the next steps are computed.
            const brook::Event found = row_peaks.launch_async(compute, n, u, peaks);
            copies.wait_for(found);
            copies.read(peaks, seen);
        }
        step.launch_on(compute, n, r, u.read_only(), next);
        std::swap(u, next);
    }
    const brook::Event done = compute.record();
    done.wait();
    copies.wait();

    const double half = std::exp(-2 * pi * pi * (steps / 2) * r * h * h), seconds = done.seconds_since(begin);
    const double peak = *std::max_element(seen.begin(), seen.end());
    std::printf("%s: %d x %d points, %d steps in %.3g s, %.3g million points a second\n", device.getName(), n, n, steps,
                seconds, 1e-6 * n * n * steps / seconds);
    std::printf("half way: at most %.4f, of %.4f\n", peak, half);

    double worst = 0;
    const std::vector<float> first = initial(n), last = u.to_vector();
    for (std::size_t i = 0; i < last.size(); ++i) {
        worst = std::max(worst, std::abs(last[i] - first[i] * std::exp(-2 * pi * pi * end)));
    }
    std::printf("at the end: the largest error is %.1e\n", worst);
    return worst < 1e-3 && std::abs(peak - half) < 1e-2;
}

} // namespace

int main(int argc, char **argv) {
    try {
        const brook::Device device = argc > 1 ? brook::Device::open(argv[1]) : brook::Device::open();
        const int n = argc > 2 ? std::atoi(argv[2]) : 128, steps = argc > 3 ? std::atoi(argv[3]) : 1000;
        if (n < 1 || steps < 2) {
            std::fprintf(stderr, "heat [DEVICE [POINTS [STEPS]]]\n");
            return 2;
        }
        const bool good = solve(device, n, steps);
        std::printf(good ? "that is what the equation says\n" : "that is wrong\n");
        return good ? 0 : 1;
    } catch (const brook::Error &error) {
        // No such device, no compiler for it, an error in a kernel or in the arguments of a launch: what() says it all.
        std::fprintf(stderr, "heat: %s\n", error.what());
        return error.code();
    }
}
