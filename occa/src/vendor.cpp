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
    const std::string name = brook_device_name(device.handle);
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
    const int ordinal = std::stoi(name.substr(name.find(':') + 1));
    OCCA_ERROR(what, total != nullptr && total(&bytes, ordinal) == 0);
    return bytes;
}

} // namespace occa
