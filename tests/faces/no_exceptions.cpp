// okl.hpp without exceptions: no_exceptions DEVICE FOLDER.
#include <brook/okl.hpp>

#include <cstring>
#include <string>

static bool said(const char *words, int code = BROOK_INPUT_ERROR) {
    const brook::Error error = brook::take_error();
    if (error && error.code() == code && std::strstr(error.what(), words) != nullptr) return true;
    std::printf("expected '%s', got %d: %s\n", words, error.code(), error.what());
    return false;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const std::string folder = argv[2];
    if (brook::take_error()) return 3;
    const brook::Device device = brook::Device::open(argv[1]);
    const brook::Program program =
        brook::Program::file(device, folder + "/kernels.okl", brook::BuildOptions().define("BLOCK", 32));
    const brook::Kernel axpy = program.kernel("axpy");
    brook::Memory<float> x(device, std::vector<float>(10, 2)), y(device, 10);
    axpy(10, 3.0f, x, y);
    if (brook::take_error() || y.to_vector() != std::vector<float>(10, 6)) return 4;

    // The first error is kept.
    axpy(10, 3.0f, x);
    axpy(1.5, 3.0f, x, y);
    if (!said("takes 4 arguments") || brook::take_error()) return 5;
    const brook::Kernel none = program.kernel("none");
    if (none || !said("there is no kernel 'none'")) return 6;
    none(1);
    if (!said("kernel is NULL")) return 7;
    const brook::Memory<float> part = x.part(5, 6);
    if (part || part.size() != 0 || !part.to_vector().empty()) return 8;
    if (!said("6 elements from number 5 on")) return 9;
    if (brook::Device::open("nothing").get() != nullptr || !said("nothing", BROOK_DEVICE_ERROR)) return 10;
    const brook::Queue queue(device), copy = queue;
    const brook::Event event = axpy.launch_async(copy, 10, 1.0f, x, y);
    event.wait();
    if (brook::take_error() || y.to_vector() != std::vector<float>(10, 8)) return 11;
    std::printf("all is as it should be\n");
    return 0;
}
