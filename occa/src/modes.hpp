// What the handles of the interface hold.
#ifndef OCCA_SRC_MODES_HPP
#define OCCA_SRC_MODES_HPP

#include <brook/abi.h>
#include <occa/core/base.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace occa {

// Throws what brook's last error in this thread says.
[[noreturn]] void brook_failed(const char *function);

inline void brook_check(int status, const char *function) {
    if (status != BROOK_SUCCESS) brook_failed(function);
}
template <class T> T *brook_made(T *handle, const char *function) {
    if (handle == nullptr) brook_failed(function);
    return handle;
}

// A handle of brook's with a reference of its own.
template <class T, void (*release)(T *)> class Handle {
  public:
    Handle() = default;
    explicit Handle(T *owned) : handle(owned) {}
    Handle(Handle &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    Handle &operator=(Handle &&other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    ~Handle() {
        if (handle != nullptr) release(handle);
    }
    T *get() const { return handle; }

  private:
    T *handle = nullptr;
};
typedef Handle<brook_memory, brook_memory_release> BrookMemory;
typedef Handle<brook_program, brook_program_release> BrookProgram;

// Objects that their handles share; free() ends them for all. dontUseRefs() keeps one without any.
template <class T> struct Shared : std::enable_shared_from_this<T> {
    std::atomic<bool> freed{false};
    std::shared_ptr<T> kept;

    void keep() { kept = this->shared_from_this(); }
};

// The modes' names, as they are spelled here.
enum class Mode { serial, openmp, cuda, hip, opencl };

class modeDevice_t : public Shared<modeDevice_t> {
  public:
    Mode kind = Mode::serial;
    std::string mode;
    json properties;
    const brook_device *handle = nullptr;
    void *native = nullptr;
    std::atomic<udim_t> allocated{0}, most{0};
    // Asked for when somebody wants it.
    std::once_flag arch_once;
    std::string arch;

    // On the processor: addresses are the host's.
    bool is_host() const { return kind == Mode::serial || kind == Mode::openmp; }
    bool alive() const { return !freed; }
    void grow(udim_t bytes);

    std::shared_ptr<modeStream_t> current();
    // The same for a moment, without a reference.
    modeStream_t *now() const { return stream_now.load(std::memory_order_acquire); }
    void set_current(std::shared_ptr<modeStream_t> stream);
    // Makes the stream current that it has from the start.
    void use_own_stream();

    // What of an object's properties is for this device's mode, over the defaults.
    json object_properties(const char *object, const json &additional) const;

    // All that is to be freed with it.
    void add(modeMemory_t *memory);
    void remove(modeMemory_t *memory);
    void free_all();

  private:
    std::mutex mutex;
    std::shared_ptr<modeStream_t> stream;
    std::atomic<modeStream_t *> stream_now{nullptr};
    std::set<modeMemory_t *> memories;
};

class modeStream_t : public Shared<modeStream_t> {
  public:
    // Whose current stream it may be: the device holds that, and it does not hold the device.
    std::weak_ptr<modeDevice_t> device;
    Handle<brook_queue, brook_queue_release> queue;
    bool is_default = false;
    json properties;
    void *native = nullptr;

    // The device, if both are there still.
    std::shared_ptr<modeDevice_t> owner() const;
    bool alive() const { return owner() != nullptr; }
    // What functions of brook's take: null for the device's own.
    const brook_queue *argument() const { return is_default ? nullptr : queue.get(); }
};

class modeStreamTag_t : public Shared<modeStreamTag_t> {
  public:
    std::shared_ptr<modeDevice_t> device;
    Handle<brook_event, brook_event_release> event;
    void *native = nullptr;

    bool alive() const { return !freed && device->alive(); }
};

// A piece of device memory, which memory objects are parts of.
struct Buffer {
    std::shared_ptr<modeDevice_t> device;
    // Bytes; none if it is page-locked memory of the host that kernels do not reach.
    BrookMemory memory;
    Handle<brook_pinned, brook_pinned_release> pinned;
    // Where programs find it, if it was made for them, too.
    char *host = nullptr;
    udim_t size = 0;
    // Whether it counts as allocated here.
    bool counted = false;

    Buffer(std::shared_ptr<modeDevice_t> device_, brook_memory *owned, udim_t size_, bool counted_);
    ~Buffer();
};

class modeMemory_t : public Shared<modeMemory_t> {
  public:
    std::shared_ptr<modeDevice_t> device;
    std::shared_ptr<Buffer> buffer;
    // Where it is a part of one.
    std::shared_ptr<modeMemoryPool_t> pool;
    // Bytes.
    udim_t offset = 0, size = 0;
    dtype_t dtype = dtype::byte;
    json properties;
    void *native = nullptr;

    // BROOK_BOOL to BROOK_DOUBLE, the last is for bytes.
    static const int types = BROOK_DOUBLE + 1;

    modeMemory_t(std::shared_ptr<modeDevice_t> device_, std::shared_ptr<Buffer> buffer_,
                 std::shared_ptr<modeMemoryPool_t> pool_, udim_t offset_, udim_t size_);
    ~modeMemory_t();

    bool alive() const { return !freed && device->alive(); }
    // The same memory as elements of a type, as far as they are whole; it stays the object's.
    brook_memory *as(int type);
    // The type of the numbers that it consists of; BROOK_UCHAR for bytes and all that is mixed.
    int type() const { return numbers; }
    void set_dtype(const dtype_t &other);
    // Forgets where it was.
    void moved();
    // Gives its memory back.
    void release();
    std::shared_ptr<modeMemory_t> slice(udim_t from, udim_t bytes);

  private:
    std::atomic<brook_memory *> views[types];
    int numbers = BROOK_UCHAR;
};

class modeMemoryPool_t : public Shared<modeMemoryPool_t> {
  public:
    std::shared_ptr<modeDevice_t> device;
    json properties;
    udim_t alignment = 128;

    bool alive() const { return !freed && device->alive(); }
    udim_t size() const;
    udim_t reserved();
    udim_t count();
    void align(udim_t bytes);
    void resize(udim_t bytes);
    std::shared_ptr<modeMemory_t> reserve(udim_t bytes, const dtype_t &dtype);
    void add(modeMemory_t *memory);
    void remove(modeMemory_t *memory);
    void free_all();

  private:
    std::recursive_mutex mutex;
    std::shared_ptr<Buffer> buffer;
    std::set<modeMemory_t *> parts;

    static udim_t up(udim_t bytes, udim_t to) { return (bytes + to - 1) / to * to; }
    udim_t up(udim_t bytes) const { return up(bytes, alignment); }
    // What is in use, in order and apart: first byte and the one behind the last, both aligned.
    std::vector<std::pair<udim_t, udim_t>> blocks() const;
    udim_t in_use() const;
    void move_to(udim_t bytes, udim_t aligned);
};

class modeKernel_t : public Shared<modeKernel_t> {
  public:
    std::shared_ptr<modeDevice_t> device;
    std::string name, source;
    // What was translated.
    std::string text;
    json properties;
    hash_t hash;
    Handle<brook_kernel, brook_kernel_release> handle;
    // What was compiled as it is: for a device with a language of its own, or a function of the host's.
    Handle<brook_native_kernel, brook_native_kernel_release> native;
    void *function = nullptr;
    // enum brook_type of what its parameters are, or point to.
    std::vector<int> pointees;
    // Whether memory of another type than the kernel's is refused.
    bool validates = true;
    dim outer, inner;

    // A file that its program was loaded from.
    std::string binary;

    bool alive() const { return !freed && device->alive(); }
    // The kernel of a program that has been built or loaded.
    void take(brook_program *program, const char *what);
    // Compiles the text once more, into a file, where there is none yet.
    const std::string &binary_file();
    void push(const kernelArg &arg);
    bool has_pushed() const { return !pushed.empty(); }
    void clear() { pushed.clear(); }
    void run_pushed();
    void run(const kernelArg *args, std::size_t count);

  private:
    // An argument that lives longer than what it was made of.
    struct Kept {
        kernelArg arg;
        std::vector<char> bytes;
        std::shared_ptr<modeMemory_t> memory;
    };
    std::vector<Kept> pushed;
    std::mutex binary_mutex, named_mutex;
    // Of a template: for types that memory has names of, once they have come together.
    std::map<std::string, Handle<brook_kernel, brook_kernel_release>> of_names;
    brook_kernel *named(const kernelArg *args, const brook_argument *list, std::size_t count);
    void run_function(const kernelArg *args, std::size_t count);
    // Whether memory may be given for a pointer to a type, whatever its own.
    bool may_be(const modeMemory_t &memory, int type) const;
};

// vendor.cpp: what brook's interface does not say of devices. The name of the OpenCL device of these numbers, and a device's
// memory in bytes; both throw if the vendor's library does not say.
std::string opencl_device(int platform, int device, int count);
udim_t device_memory(const modeDevice_t &device);
// "CPU", sm_90, or the name of an OpenCL device; and how many work-groups there may be, of how many work-items. They throw,
// too.
std::string device_arch(const modeDevice_t &device);
int device_dims(const modeDevice_t &device);
dim device_outer_dims(const modeDevice_t &device);
dim device_inner_dims(const modeDevice_t &device);

// function.cpp: the text of a kernel's property "functions", which names function objects.
std::string functions_text(const json &functions);

// native.cpp: the function of a text that is compiled for the processor as it is.
void *native_function(const std::string &text, const std::string &source, const std::string &name,
                      const json &properties);
// That of a library which somebody else has made.
void *library_function(const std::string &library, const std::string &name);
// Calls it with so many pointers.
void call_native(void *function, void **arguments, std::size_t count);

} // namespace occa

#endif
