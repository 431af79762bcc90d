// Devices, and which of them a thread uses.
#ifndef BROOK_DEVICE_H
#define BROOK_DEVICE_H

#include <brook/abi.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace brook {

namespace detail {
struct Devices;
}

// A device. Copies are the same device.
class Device {
  public:
    // The device of a name, such as "cuda:0", or for null the one of this thread. With <brook/okl.hpp>.
    static Device open(const char *name = nullptr);
    // Waits for everything launched and copied there, in whichever queue. With <brook/okl.hpp>.
    void finish() const;
    // Whether calls of Brook+ kernels wait and run as fewer kernels: BROOK_FUSION_OFF, _ON, _NOW. With <brook/okl.hpp>.
    void fuse(int fusion) const;
    // What C calls it.
    const brook_device *get() const { return handle; }
    explicit Device(const brook_device *handle_) : handle(handle_) {}

    // "cpu", or "cal" for a GPU.
    const char *getType() const { return brook_device_type(handle); }
    // The interfaces whose memory can be streams here, separated by spaces.
    const char *getBindings() const { return brook_device_bindings(handle); }
    // What lies beneath: "context" and "device" of OpenCL, "context" of CUDA; else null.
    void *native(const char *what) const { return brook_device_native(handle, what); }
    // Such as "cuda:0".
    const char *getName() const { return brook_device_name(handle); }
    // What code is made for there: "sm_90", or the driver's name for it.
    const char *getArchitecture() const { return brook_device_architecture(handle); }
    // How many devices a set is of, such as "cuda:0,cuda:1"; 0 of what is no set.
    std::size_t getParts() const { return brook_device_parts(handle); }

  private:
    friend struct detail::Devices;

    const brook_device *handle;
};

namespace detail {

// Lists of devices that programs are given pointers to; they stay for the life of the process.
struct Devices {
    static Device *list(const std::string &type, unsigned *count) {
        unsigned size = 0;
        const brook_device *const *handles = brook_devices(type.c_str(), &size);
        if (count != nullptr) *count = size;
        return size == 0 ? nullptr : known(handles, size);
    }

    // A list of one.
    static Device *single(const brook_device *handle) {
        return handle == nullptr ? nullptr : known(&handle, 1);
    }

    static void use(const Device &device) { brook_use_device(device.handle); }

  private:
    static Device *known(const brook_device *const *handles, unsigned size) {
        static std::mutex &lock = *new std::mutex;
        static std::vector<std::vector<Device> *> &lists = *new std::vector<std::vector<Device> *>;
        std::lock_guard<std::mutex> hold(lock);
        for (std::vector<Device> *list : lists) {
            bool same = list->size() == size;
            for (unsigned i = 0; same && i < size; ++i) same = (*list)[i].handle == handles[i];
            if (same) return list->data();
        }
        lists.push_back(new std::vector<Device>);
        for (unsigned i = 0; i < size; ++i) lists.back()->push_back(Device(handles[i]));
        return lists.back()->data();
    }
};

} // namespace detail

// The devices of a type: "cal" (all GPUs), "cpu" or "all"; none for any other word. The library keeps
// the list.
inline Device *getDevices(const char *type, unsigned *count) {
    return detail::Devices::list(type == nullptr ? "" : type, count);
}

// Makes the first of the given devices the one that this thread's streams are made on and its kernels
// run on. Returns the one before, and how many those were, if count is asked for.
inline Device *useDevices(Device *devices, unsigned count, unsigned *old_count = nullptr) {
    Device *old = nullptr;
    if (old_count != nullptr) {
        old = detail::Devices::single(brook_current_device());
        *old_count = old == nullptr ? 0 : 1;
    }
    if (devices != nullptr && count > 0) detail::Devices::use(devices[0]);
    return old;
}

} // namespace brook

#endif
