// Kernels: building and launching them.
#include "files.hpp"
#include "modes.hpp"
#include "output.hpp"

#include <cstdlib>
#include <cstring>
#include <sstream>

namespace occa {

namespace {

const std::string no_mode = "No Mode", nothing;

// A list of strings as brook takes it.
class List {
  public:
    void add(const std::string &text) { texts.push_back(text); }
    const char *const *get() {
        pointers.clear();
        for (const std::string &text : texts) pointers.push_back(text.c_str());
        pointers.push_back(nullptr);
        return pointers.data();
    }

  private:
    std::vector<std::string> texts;
    std::vector<const char *> pointers;
};

// How brook is to build what has such properties.
class Options {
  public:
    Options(const json &props, Mode mode) {
        for (const auto &define : props["defines"].object()) {
            const json &value = define.second;
            if (value.isString() || value.isNumber() || value.isNull()) defines.add(define.first + "=" + value.toString());
        }
        for (const char *where : {"include_paths", "okl/include_paths"}) {
            for (const json &folder : props[where].array()) folders.add(folder.toString());
        }
        std::istringstream words(props.get<std::string>("compiler_flags"));
        for (std::string word; words >> word;) flags.add(word);
        // One thread, with the vectors that the pragmas ask for.
        if (mode == Mode::serial) {
            flags.add("-fno-openmp");
            flags.add("-fopenmp-simd");
        }
    }
    // Another one to search for includes.
    void folder(const std::string &path) { folders.add(path); }
    const brook_build_options *get() {
        all = brook_build_options();
        all.size = sizeof all;
        all.defines = defines.get();
        all.include_directories = folders.get();
        all.flags = flags.get();
        return &all;
    }

  private:
    List defines, folders, flags;
    brook_build_options all;
};

// The file of an include: as the program would open it, or else where kernels' includes are searched.
std::string included(const std::string &name) {
    const std::unique_ptr<char, void (*)(void *)> path(realpath(files::find(name).c_str(), nullptr), std::free);
    return path == nullptr ? name : path.get();
}

// What stands before the source, in OCCA's order: includes, then headers, then functions.
std::string text_before(const json &props) {
    std::string text;
    for (const json &include : props["includes"].array()) text += "#include \"" + included(include.toString()) + "\"\n";
    for (const json &header : props["headers"].array()) text += header.toString() + "\n";
    return text + functions_text(props["functions"]);
}

// Asks for nothing that is not there.
void check(const json &props) {
    const json &okl = props["okl"];
    OCCA_ERROR("occa::device::buildKernel: the property [okl] is no object", !okl.isInitialized() || okl.isObject());
}

} // namespace

kernel device::buildKernel(const std::string &filename, const std::string &kernelName, const occa::json &props) const {
    const std::string path = files::find(filename);
    return build(files::read(path), path, kernelName, props);
}

kernel device::buildKernelFromString(const std::string &content, const std::string &kernelName,
                                     const occa::json &props) const {
    return build(content, "", kernelName, props);
}

kernel device::build(const std::string &content, const std::string &path, const std::string &name,
                     const occa::json &props) const {
    const char *const function = "occa::device::buildKernel";
    OCCA_ERROR(function << ": there is no device", isInitialized());
    auto made = std::make_shared<modeKernel_t>();
    made->device = self;
    made->name = name;
    made->source = path.empty() ? "string_source.okl" : path;
    const json all = self->object_properties("kernel", props);
    check(all);
    made->properties = all;
    made->validates = all.get("type_validation", true);
    made->hash = occa::hash(content) ^ all.hash() ^ hash() ^ occa::hash(name);

    const std::string before = text_before(all);
    // The compiler speaks of the file's own lines.
    const std::string text = before.empty() ? content : before + "#line 1 \"" + made->source + "\"\n" + content;
    const bool is_okl = all.get("okl/enabled", true);
    if (!is_okl && self->is_host()) {
        made->function = native_function(text, made->source, name, all);
        return kernel(made);
    }
    OCCA_ERROR(function << ": the property [compiler] is for kernels of the host that are no OKL; BROOK_CXX and CXX choose for "
                           "others",
               all["compiler"].size() == 0);
    Options options(all, self->kind);
    if (!is_okl) {
        // Whatever it includes lies beside it.
        const std::size_t slash = path.rfind('/');
        options.folder(slash == std::string::npos ? "." : path.substr(0, slash + 1));
        typedef Handle<brook_native_program, brook_native_program_release> Native;
        const Native native(brook_made(
            brook_native_program_build(self->handle, made->source.c_str(), text.data(), text.size(), options.get()), function));
        made->native = Handle<brook_native_kernel, brook_native_kernel_release>(
            brook_made(brook_native_program_kernel(native.get(), name.c_str()), function));
        return kernel(made);
    }
    const BrookProgram program(
        brook_program_build(self->handle, made->source.c_str(), text.data(), text.size(), options.get()));
    if (program.get() == nullptr) {
        if (all.get("silent", false)) return kernel();
        brook_failed(function);
    }
    if (all.get("verbose", false)) {
        const char *const warnings = brook_program_warnings(program.get());
        if (warnings != nullptr) output::print_error(warnings + std::string("\n"));
    }
    made->take(program.get(), function);
    made->text = text;
    return kernel(made);
}

const std::string &modeKernel_t::binary_file() {
    const std::lock_guard<std::mutex> guard(binary_mutex);
    if (!binary.empty()) return binary;
    const char *const what = "occa::kernel::binaryFilename";
    OCCA_ERROR(what << ": the kernel '" << name << "' is no OKL, and has none",
               function == nullptr && native.get() == nullptr);
    const std::string path = files::folder_in_cache(hash.getString()) + "binary.brk";
    Options options(properties, device->kind);
    brook_check(brook_package_write(device->handle, source.c_str(), text.data(), text.size(), options.get(), path.c_str()),
                what);
    binary = path;
    return binary;
}

namespace {

// What pointers of a template are to that only a launch says.
const int deduced = -2;

const dtype_t &dtype_of(int type) {
    static const dtype_t all[] = {dtype::bool_, dtype::char_,  dtype::uint8, dtype::short_, dtype::uint16, dtype::int_,
                                  dtype::uint32, dtype::long_, dtype::uint64, dtype::float_, dtype::double_};
    return all[type];
}

// An argument for such a pointer: the memory's type is the kernel's, if it is a number's or a vector's; else it says nothing.
void tell(modeMemory_t &memory, brook_argument &to, std::vector<BrookMemory> &held) {
    static const char *const bases[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                        "uint", "long", "ulong", "float", "double"};
    const std::vector<dtype_t> parts = memory.dtype.flattened();
    const int type = memory.type();
    to.kind = BROOK_MEMORY;
    if (memory.dtype == dtype_of(type)) {
        to.data = memory.as(type);
    } else if (memory.dtype.name() == bases[type] + std::to_string(parts.size())) {
        held.emplace_back(
            brook_made(brook_memory_cast(memory.as(type), type, static_cast<unsigned>(parts.size())), "occa::kernel"));
        to.data = held.back().get();
    } else {
        to.kind = BROOK_UNTYPED_MEMORY;
        to.data = memory.as(BROOK_UCHAR);
    }
}

// Whether elements have a name that a source may know: structs, enums, and what a program has made up; not bytes.
bool has_name(const dtype_t &dtype) {
    return dtype != dtype::byte && !dtype.isTuple() && !dtype.name().empty() && dtype.bytes() > 0;
}

bool is_template_parameter(const brook_kernel *kernel, const std::string &name) {
    for (std::size_t i = 0; const char *one = brook_kernel_template_parameter(kernel, i); ++i) {
        if (name == one) return true;
    }
    return false;
}

} // namespace

void modeKernel_t::take(brook_program *program, const char *what) {
    typedef Handle<brook_kernel, brook_kernel_release> Kernel;
    handle = Kernel(brook_made(brook_program_kernel(program, name.c_str()), what));
    const json &asked = properties;
    for (const auto &one : asked["okl/template_arguments"].object()) {
        const std::string text = one.second.toString();
        handle = Kernel(brook_made(brook_kernel_with(handle.get(), one.first.c_str(), text.c_str()), what));
    }
    const bool is_template = brook_kernel_template_parameter(handle.get(), 0) != nullptr;
    const std::size_t count = brook_kernel_parameter_count(handle.get());
    for (std::size_t i = 0; i < count; ++i) {
        brook_parameter parameter;
        brook_check(brook_kernel_parameter(handle.get(), i, &parameter), what);
        const bool is_known = !is_template || parameter.type != BROOK_STRUCTURE;
        pointees.push_back(is_known ? parameter.type : deduced);
    }
}

kernel device::buildKernelFromBinary(const std::string &filename, const std::string &kernelName,
                                     const occa::json &props) const {
    const char *const what = "occa::device::buildKernelFromBinary";
    OCCA_ERROR(what << ": there is no device", isInitialized());
    auto made = std::make_shared<modeKernel_t>();
    made->device = self;
    made->name = kernelName;
    made->source = made->binary = files::find(filename);
    made->properties = self->object_properties("kernel", props);
    made->validates = made->properties.get("type_validation", true);
    made->hash = hashFile(filename) ^ made->properties.hash() ^ hash() ^ occa::hash(kernelName);
    if (!made->properties.get("okl/enabled", true)) {
        OCCA_ERROR(what << ": kernels that are no OKL are for the modes Serial and OpenMP, not " << self->mode,
                   self->is_host());
        made->function = library_function(made->binary, kernelName);
        return kernel(made);
    }
    const BrookProgram program(brook_made(brook_program_load(self->handle, made->binary.c_str(), nullptr), what));
    made->take(program.get(), what);
    return kernel(made);
}

namespace {

// BROOK_BOOL to BROOK_DOUBLE of a number; -1 for none.
int type_of(int primitive) {
    switch (primitive) {
    case primitiveType::bool_: return BROOK_BOOL;
    case primitiveType::int8_: return BROOK_CHAR;
    case primitiveType::uint8_: return BROOK_UCHAR;
    case primitiveType::int16_: return BROOK_SHORT;
    case primitiveType::uint16_: return BROOK_USHORT;
    case primitiveType::int32_: return BROOK_INT;
    case primitiveType::uint32_: return BROOK_UINT;
    case primitiveType::int64_: return BROOK_LONG;
    case primitiveType::uint64_: return BROOK_ULONG;
    case primitiveType::float_: return BROOK_FLOAT;
    default: return BROOK_DOUBLE;
    }
}

// The integer of the same size with a sign instead of none, or none instead of one; what is no integer is itself.
int other_sign(int type) {
    switch (type) {
    case BROOK_CHAR: return BROOK_UCHAR;
    case BROOK_UCHAR: return BROOK_CHAR;
    case BROOK_SHORT: return BROOK_USHORT;
    case BROOK_USHORT: return BROOK_SHORT;
    case BROOK_INT: return BROOK_UINT;
    case BROOK_UINT: return BROOK_INT;
    case BROOK_LONG: return BROOK_ULONG;
    case BROOK_ULONG: return BROOK_LONG;
    default: return type;
    }
}

// Bytes of the host's memory that a kernel gets a pointer to. How many there are nobody knows, and nobody asks.
const std::size_t some_bytes = 64;

} // namespace

void modeKernel_t::run(const kernelArg *args, std::size_t count) {
    OCCA_ERROR("occa::kernel: the kernel '" << name << "' has been freed", alive());
    if (outer.isZero() || inner.isZero()) return;
    for (std::size_t i = 0; i < count; ++i) {
        const modeMemory_t *memory = args[i].memory_;
        OCCA_ERROR("occa::kernel: argument " << i + 1 << " of kernel '" << name << "' is memory of mode "
                                             << memory->device->mode << " and of another device; the kernel's is "
                                             << device->mode,
                   memory == nullptr || memory->device == device || memory->device->handle == device->handle);
        OCCA_ERROR("occa::kernel: argument " << i + 1 << " of kernel '" << name
                                             << "' is memory of the host; the kernel runs in mode " << device->mode,
                   args[i].kind != kernelArg::host_ || device->is_host());
    }
    if (function != nullptr) return run_function(args, count);
    std::vector<BrookMemory> hosts;
    // Whether memory is of a type that has nothing but a name, where the kernel takes any.
    bool is_named = false;
    brook_argument few[16];
    std::vector<brook_argument> many;
    brook_argument *list = few;
    if (count > 16) {
        many.resize(count);
        list = many.data();
    }
    for (std::size_t i = 0; i < count; ++i) {
        const kernelArg &arg = args[i];
        brook_argument &to = list[i] = brook_argument();
        switch (arg.kind) {
        case kernelArg::null_: to.kind = BROOK_NULL; break;
        case kernelArg::number_:
            to.kind = BROOK_VALUE;
            to.type = type_of(arg.type);
            to.width = 1;
            to.bytes = arg.bytes;
            to.data = const_cast<char *>(arg.number.room);
            break;
        case kernelArg::bytes_:
            to.kind = BROOK_BYTES;
            to.bytes = arg.bytes;
            to.data = const_cast<void *>(arg.pointer);
            break;
        case kernelArg::host_: {
            hosts.emplace_back(brook_made(brook_memory_import(device->handle, BROOK_UCHAR, 1, some_bytes,
                                                              const_cast<void *>(arg.pointer), 0),
                                          "occa::kernel"));
            to.kind = BROOK_UNTYPED_MEMORY;
            to.data = hosts.back().get();
            break;
        }
        case kernelArg::memory__: {
            const int pointee = i < pointees.size() ? pointees[i] : BROOK_STRUCTURE;
            if (pointee == deduced) {
                tell(*arg.memory_, to, hosts);
                is_named = is_named || (to.kind == BROOK_UNTYPED_MEMORY && has_name(arg.memory_->dtype));
                break;
            }
            const bool whatever = native.get() != nullptr || may_be(*arg.memory_, pointee);
            to.kind = whatever ? BROOK_UNTYPED_MEMORY : BROOK_MEMORY;
            to.data = arg.memory_->as(whatever ? BROOK_UCHAR : arg.memory_->type());
            break;
        }
        }
    }
    if (native.get() != nullptr) {
        const std::size_t groups[] = {outer.x, outer.y, outer.z};
        const unsigned items[] = {static_cast<unsigned>(inner.x), static_cast<unsigned>(inner.y),
                                  static_cast<unsigned>(inner.z)};
        brook_check(brook_native_kernel_launch(native.get(), device->now()->argument(), groups, items, list, count),
                    "occa::kernel");
        return;
    }
    const brook_kernel *const kernel = is_named ? named(args, list, count) : handle.get();
    brook_check(brook_kernel_launch(kernel, device->now()->argument(), list, count), "occa::kernel");
}

brook_kernel *modeKernel_t::named(const kernelArg *args, const brook_argument *list, std::size_t count) {
    struct Asked {
        std::string type;
        std::size_t argument;
    };
    std::map<std::string, Asked> asked;
    for (std::size_t i = 0; i < count; ++i) {
        if (args[i].kind != kernelArg::memory__ || list[i].kind != BROOK_UNTYPED_MEMORY) continue;
        const dtype_t &dtype = args[i].memory_->dtype;
        brook_parameter parameter;
        if (!has_name(dtype) || brook_kernel_parameter(handle.get(), i, &parameter) != BROOK_SUCCESS) continue;
        if (!is_template_parameter(handle.get(), parameter.type_name)) continue;
        const auto found = asked.emplace(parameter.type_name, Asked{dtype.name(), i}).first;
        const Asked &first = found->second;
        OCCA_ERROR("occa::kernel: template parameter '" << found->first << "' of kernel '" << name << "' cannot be both "
                                                        << first.type << " by argument " << first.argument + 1 << " and "
                                                        << dtype.name() << " by argument " << i + 1,
                   first.type == dtype.name());
    }
    std::string key;
    for (const auto &one : asked) {
        const int bytes = args[one.second.argument].memory_->dtype.bytes();
        key += one.first + '=' + one.second.type + '/' + std::to_string(bytes) + ';';
    }
    const std::lock_guard<std::mutex> guard(named_mutex);
    const auto known = of_names.find(key);
    if (known != of_names.end()) return known->second.get();
    typedef Handle<brook_kernel, brook_kernel_release> Kernel;
    Kernel made(brook_kernel_retain(handle.get()));
    for (const auto &one : asked) {
        made = Kernel(
            brook_made(brook_kernel_with(made.get(), one.first.c_str(), one.second.type.c_str()), "occa::kernel"));
    }
    // The name is the source's, and what it is there is not to be larger or smaller than memory says.
    const Kernel instance(brook_made(brook_kernel_instance(made.get(), list, count), "occa::kernel"));
    for (const auto &one : asked) {
        const dtype_t &dtype = args[one.second.argument].memory_->dtype;
        brook_parameter parameter;
        brook_check(brook_kernel_parameter(instance.get(), one.second.argument, &parameter), "occa::kernel");
        OCCA_ERROR("occa::kernel: argument " << one.second.argument + 1 << " of kernel '" << name << "' is memory of '"
                                             << dtype.name() << "', of " << dtype.bytes() << " bytes; the kernel's has "
                                             << parameter.bytes << " (0: it is not known; give the type by name)",
                   parameter.bytes == static_cast<std::size_t>(dtype.bytes()));
    }
    return of_names.emplace(key, std::move(made)).first->second.get();
}

bool modeKernel_t::may_be(const modeMemory_t &memory, int type) const {
    if (!validates || memory.dtype == dtype::byte) return true;
    if (type == BROOK_STRUCTURE || type >= modeMemory_t::types) return false;
    // As with OCCA, whose types know no sign.
    return memory.dtype.canBeCastedTo(dtype_of(type)) || memory.dtype.canBeCastedTo(dtype_of(other_sign(type)));
}

void modeKernel_t::run_function(const kernelArg *args, std::size_t count) {
    // What was enqueued before is done before.
    brook_check(brook_queue_wait(device->current()->queue.get()), "occa::kernel");
    std::vector<void *> pointers;
    for (std::size_t i = 0; i < count; ++i) {
        const kernelArg &arg = args[i];
        switch (arg.kind) {
        case kernelArg::null_: pointers.push_back(nullptr); break;
        case kernelArg::number_: pointers.push_back(const_cast<char *>(arg.number.room)); break;
        case kernelArg::bytes_:
        case kernelArg::host_: pointers.push_back(const_cast<void *>(arg.pointer)); break;
        case kernelArg::memory__: {
            std::size_t offset = 0;
            char *const first = static_cast<char *>(brook_memory_native(arg.memory_->as(BROOK_UCHAR), &offset));
            pointers.push_back(first + offset);
        }
        }
    }
    call_native(function, pointers.data(), count);
}

void modeKernel_t::push(const kernelArg &arg) {
    Kept kept;
    kept.arg = arg;
    if (arg.memory_ != nullptr) kept.memory = arg.memory_->shared_from_this();
    if (arg.kind == kernelArg::bytes_) {
        const char *const first = static_cast<const char *>(arg.pointer);
        kept.bytes.assign(first, first + arg.bytes);
    }
    pushed.push_back(std::move(kept));
}

void modeKernel_t::run_pushed() {
    std::vector<kernelArg> args;
    for (const Kept &kept : pushed) {
        args.push_back(kept.arg);
        if (kept.arg.kind == kernelArg::bytes_) args.back().pointer = kept.bytes.data();
    }
    run(args.data(), args.size());
}

kernelArg::kernelArg(const primitive &value) : kernelArg() {
    if (value.isPointer()) {
        if (!value.isNull()) {
            kind = host_;
            pointer = value.ptr();
        }
        return;
    }
    OCCA_ERROR("occa::kernelArg: it is no number", !value.isNaN());
    kind = number_;
    type = value.type;
    bytes = value.sizeof_();
    number.bits = value.value.uint64_;
}

occa::device kernelArg::getDevice() const { return memory_ == nullptr ? occa::device() : occa::device(memory_->device); }

bool kernel::isInitialized() const { return self != nullptr && self->alive(); }

occa::device kernel::getDevice() const { return isInitialized() ? occa::device(self->device) : occa::device(); }

const std::string &kernel::mode() const { return isInitialized() ? self->device->mode : no_mode; }

const occa::json &kernel::properties() const {
    OCCA_ERROR("occa::kernel::properties: there is no kernel", isInitialized());
    return self->properties;
}

const std::string &kernel::name() const { return isInitialized() ? self->name : nothing; }

const std::string &kernel::sourceFilename() const { return isInitialized() ? self->source : nothing; }

const std::string &kernel::binaryFilename() { return isInitialized() ? self->binary_file() : nothing; }

int kernel::maxDims() const { return isInitialized() ? device_dims(*self->device) : -1; }

dim kernel::maxOuterDims() const { return isInitialized() ? device_outer_dims(*self->device) : dim(-1, -1, -1); }

dim kernel::maxInnerDims() const { return isInitialized() ? device_inner_dims(*self->device) : dim(-1, -1, -1); }

hash_t kernel::hash() const { return isInitialized() ? self->hash : hash_t(); }

namespace {

modeKernel_t &there(const kernel &kernel, const char *what) {
    OCCA_ERROR("occa::kernel::" << what << ": there is no kernel", kernel.isInitialized());
    return *kernel.getModeKernel();
}

} // namespace

std::string assembleKernelHeader(const json &props) {
    std::string text;
    for (const auto &define : props["defines"].object()) {
        const json &value = define.second;
        if (!value.isString() && !value.isNumber() && !value.isNull()) continue;
        text += "#define " + define.first + " " + value.toString() + "\n";
    }
    return text + text_before(props);
}

hash_t kernelHeaderHash(const json &props) { return occa::hash(assembleKernelHeader(props)); }

void kernel::setRunDims(dim outerDims, dim innerDims) {
    modeKernel_t &kernel = there(*this, "setRunDims");
    kernel.outer = outerDims;
    kernel.inner = innerDims;
}

void kernel::pushArg(const kernelArg &arg) { there(*this, "pushArg").push(arg); }

void kernel::clearArgs() { there(*this, "clearArgs").clear(); }

void kernel::run() const { there(*this, "run").run_pushed(); }

void kernel::launch(const kernelArg *args, std::size_t count) const {
    OCCA_ERROR("occa::kernel: there is no kernel", self != nullptr);
    // What was pushed before is no argument of anything after a call.
    if (self->has_pushed()) self->clear();
    self->run(args, count);
}

void kernel::free() {
    if (self == nullptr) return;
    const std::shared_ptr<modeKernel_t> last = std::move(self);
    self = nullptr;
    last->freed = true;
    last->kept = nullptr;
}

void kernel::dontUseRefs() {
    if (isInitialized()) self->keep();
}

} // namespace occa
