// What only the vendors' libraries say of devices. They are loaded when they are asked.
#include "modes.hpp"

#include <cstdint>
#include <dlfcn.h>
#include <unistd.h>

namespace occa {

namespace {

// A function of a library; null if it is not there.
template <class F> F function_of(const char *library, const char *name) {
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return loaded == nullptr ? nullptr : reinterpret_cast<F>(dlsym(loaded, name));
}

// As OpenCL declares them.
const char *const opencl = "libOpenCL.so.1";
typedef int32_t (*GetPlatforms)(uint32_t, void **, uint32_t *);
typedef int32_t (*GetDevices)(void *, uint64_t, uint32_t, void **, uint32_t *);
typedef int32_t (*GetDeviceInfo)(void *, uint32_t, std::size_t, void *, std::size_t *);
const uint64_t every_type = 0xffffffff;
const uint32_t global_memory_size = 0x101f;
const uint32_t name_of_device = 0x102b;
const uint32_t most_dimensions = 0x1003, most_in_group = 0x1004, most_in_dimensions = 0x1005;

// A list of what OpenCL's devices say.
template <class T> std::vector<T> opencl_info(const modeDevice_t &device, uint32_t what, const char *function) {
    const GetDeviceInfo info = function_of<GetDeviceInfo>(opencl, "clGetDeviceInfo");
    void *const id = brook_device_native(device.handle, "device");
    std::size_t bytes = 0;
    OCCA_ERROR(function << ": the driver does not say",
               info != nullptr && id != nullptr && info(id, what, 0, nullptr, &bytes) == 0 && bytes >= sizeof(T));
    std::vector<T> all(bytes / sizeof(T));
    OCCA_ERROR(function << ": the driver does not say", info(id, what, all.size() * sizeof(T), all.data(), nullptr) == 0);
    return all;
}

// The number of CUDA's or HIP's device.
int ordinal_of(const modeDevice_t &device) {
    const std::string name = brook_device_name(device.handle);
    return std::stoi(name.substr(name.find(':') + 1));
}

// What CUDA and HIP say of a device, by their numbers.
struct Attribute {
    int cuda, hip;
};
const Attribute most_in_block = {1, 56};
typedef int (*GetAttribute)(int *, int, int);

int attribute(const modeDevice_t &device, const Attribute &what, const char *function) {
    const bool cuda = device.kind == Mode::cuda;
    const GetAttribute get = function_of<GetAttribute>(cuda ? "libcuda.so.1" : "libamdhip64.so",
                                                       cuda ? "cuDeviceGetAttribute" : "hipDeviceGetAttribute");
    int value = 0;
    OCCA_ERROR(function << ": the driver does not say",
               get != nullptr && get(&value, cuda ? what.cuda : what.hip, ordinal_of(device)) == 0);
    return value;
}

} // namespace

std::string opencl_device(int platform, int device, int count) {
    const GetPlatforms platforms_of = function_of<GetPlatforms>(opencl, "clGetPlatformIDs");
    const GetDevices devices_of = function_of<GetDevices>(opencl, "clGetDeviceIDs");
    OCCA_ERROR("occa::device: there is no OpenCL", platforms_of != nullptr && devices_of != nullptr);
    uint32_t found = 0;
    platforms_of(0, nullptr, &found);
    OCCA_ERROR("occa::device: there is no OpenCL platform number " << platform, static_cast<uint32_t>(platform) < found);
    std::vector<void *> platforms(found);
    platforms_of(found, platforms.data(), nullptr);
    found = 0;
    devices_of(platforms[static_cast<std::size_t>(platform)], every_type, 0, nullptr, &found);
    OCCA_ERROR("occa::device: OpenCL's platform number " << platform << " has no device number " << device,
               static_cast<uint32_t>(device) < found);
    std::vector<void *> devices(found);
    devices_of(platforms[static_cast<std::size_t>(platform)], every_type, found, devices.data(), nullptr);
    for (int i = 0; i < count; ++i) {
        const std::string name = "opencl:" + std::to_string(i);
        const brook_device *opened = brook_device_open(name.c_str());
        const bool same =
            opened != nullptr && brook_device_native(opened, "device") == devices[static_cast<std::size_t>(device)];
        if (same) return name;
    }
    OCCA_FORCE_ERROR("occa::device: brook does not use device number " << device << " of OpenCL's platform number "
                                                                       << platform);
}

udim_t device_memory(const modeDevice_t &device) {
    const char *const what = "occa::device::memorySize: the driver does not say";
    std::size_t bytes = 0;
    if (device.is_host()) {
        return static_cast<udim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<udim_t>(sysconf(_SC_PAGESIZE));
    }
    if (device.kind == Mode::opencl) {
        const GetDeviceInfo info = function_of<GetDeviceInfo>(opencl, "clGetDeviceInfo");
        void *const id = brook_device_native(device.handle, "device");
        uint64_t size = 0;
        OCCA_ERROR(what, info != nullptr && id != nullptr &&
                             info(id, global_memory_size, sizeof size, &size, nullptr) == 0);
        return size;
    }
    // CUDA's and HIP's functions are alike: of a device's number.
    const bool cuda = device.kind == Mode::cuda;
    typedef int (*TotalMemory)(std::size_t *, int);
    const TotalMemory total = function_of<TotalMemory>(cuda ? "libcuda.so.1" : "libamdhip64.so",
                                                       cuda ? "cuDeviceTotalMem_v2" : "hipDeviceTotalMem");
    OCCA_ERROR(what, total != nullptr && total(&bytes, ordinal_of(device)) == 0);
    return bytes;
}

std::string device_arch(const modeDevice_t &device) {
    const char *const function = "occa::device::arch";
    if (device.is_host()) return "CPU";
    if (device.kind == Mode::opencl) return opencl_info<char>(device, name_of_device, function).data();
    // Without what HIP says of a device's features: gfx90a.
    const std::string architecture = brook_made(brook_device_architecture(device.handle), function);
    return architecture.substr(0, architecture.find(':'));
}

int device_dims(const modeDevice_t &device) {
    if (device.kind != Mode::opencl) return 3;
    return static_cast<int>(opencl_info<uint32_t>(device, most_dimensions, "occa::kernel::maxDims")[0]);
}

dim device_outer_dims(const modeDevice_t &device) {
    const dim_t any = -1;
    if (device.kind != Mode::opencl) return dim(any, any, any);
    const std::vector<std::size_t> most = opencl_info<std::size_t>(device, most_in_dimensions, "occa::kernel::maxOuterDims");
    return dim(most[0], most.size() > 1 ? most[1] : 1, most.size() > 2 ? most[2] : 1);
}

dim device_inner_dims(const modeDevice_t &device) {
    const char *const function = "occa::kernel::maxInnerDims";
    const dim_t any = -1;
    if (device.is_host()) return dim(any, any, any);
    if (device.kind == Mode::opencl) return dim(opencl_info<std::size_t>(device, most_in_group, function)[0]);
    return dim(static_cast<udim_t>(attribute(device, most_in_block, function)));
}

} // namespace occa
