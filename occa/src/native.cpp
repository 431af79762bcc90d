// Kernels that are no OKL: functions of C and C++ that are compiled as they are, and called with a pointer for each
// argument.
#include "files.hpp"
#include "modes.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace occa {

namespace {

// A folder that is gone when this is.
class Folder {
  public:
    Folder() {
        const char *const base = std::getenv("TMPDIR");
        std::string name = std::string(base == nullptr ? "/tmp" : base) + "/occa-XXXXXX";
        OCCA_ERROR("occa::device::buildKernel: cannot make the folder " << name, mkdtemp(&name[0]) != nullptr);
        path = name;
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
        for (const std::string &file : files) unlink(file.c_str());
        rmdir(path.c_str());
    }
    std::string file(const char *name) {
        files.push_back(path + "/" + name);
        return files.back();
    }

  private:
    std::string path;
    std::vector<std::string> files;
};

// Runs a program; its exit status, -1 if it cannot be run. What it prints goes to a file.
int run(const std::vector<std::string> &words, const std::string &log) {
    std::vector<char *> list;
    for (const std::string &word : words) list.push_back(const_cast<char *>(word.c_str()));
    list.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(out, 1);
        dup2(out, 2);
        execvp(list[0], list.data());
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

void split(const std::string &text, std::vector<std::string> &words) {
    std::istringstream all(text);
    for (std::string word; all >> word;) words.push_back(word);
}

// The first of these variables that is set.
std::string variable(std::initializer_list<const char *> names, const char *otherwise) {
    for (const char *name : names) {
        const char *const value = std::getenv(name);
        if (value != nullptr && *value != '\0') return value;
    }
    return otherwise;
}

// A library's function; messages call the library what it was made of.
void *function_of(const std::string &file, const std::string &name, const std::string &source) {
    // Where it is mapped it stays, also without the file, and for good: somebody may still run it.
    void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    OCCA_ERROR("occa::device::buildKernel: " << dlerror(), library != nullptr);
    void *const function = dlsym(library, name.c_str());
    OCCA_ERROR("occa::device::buildKernel: '" << source << "' has no function '" << name << "' with C's linkage",
               function != nullptr);
    return function;
}

} // namespace

void *native_function(const std::string &text, const std::string &source, const std::string &name, const json &props) {
    const std::string language = props.get<std::string>("compiler_language");
    const bool is_c = language == "C" || language == "c";
    const std::string given = props.get<std::string>("compiler");
    const std::string compiler = !given.empty() ? given
                                 : is_c         ? variable({"OCCA_CC", "CC"}, "cc")
                                                : variable({"OCCA_CXX", "BROOK_CXX", "CXX"}, "c++");
    const std::string flags = props.get<std::string>("compiler_flags");
    std::vector<std::string> words;
    split(compiler, words);
    split(flags.empty() ? variable({is_c ? "OCCA_CFLAGS" : "OCCA_CXXFLAGS"}, "-O3") : flags, words);
    for (const auto &define : props["defines"].object()) {
        words.push_back("-D" + define.first + "=" + define.second.toString());
    }
    for (const json &folder : props["include_paths"].array()) words.push_back("-I" + folder.toString());
    const std::size_t slash = source.rfind('/');
    words.push_back("-I" + (slash == std::string::npos ? "." : source.substr(0, slash + 1)));
    if (static_cast<const json &>(props)["mode"].toString() == "OpenMP") words.push_back("-fopenmp");
    Folder folder;
    const std::string input = folder.file(is_c ? "kernel.c" : "kernel.cpp"), output = folder.file("kernel.so");
    const std::string log = folder.file("log");
    files::write(input, text);
    for (const char *word : {"-shared", "-fPIC", "-o"}) words.push_back(word);
    words.push_back(output);
    words.push_back(input);
    const int status = run(words, log);
    OCCA_ERROR("occa::device::buildKernel: '" << compiler << "' does not compile '" << source << "':\n" << files::read(log),
               status == 0);
    return function_of(output, name, source);
}

void *library_function(const std::string &library, const std::string &name) {
    // Without a folder, it would be searched where libraries are.
    return function_of(library.find('/') == std::string::npos ? "./" + library : library, name, library);
}

namespace {

const std::size_t most_arguments = 64;

template <std::size_t> using Pointer = void *;

template <std::size_t... I> void call(void *function, void **arguments, std::index_sequence<I...>) {
    reinterpret_cast<void (*)(Pointer<I>...)>(function)(arguments[I]...);
}

typedef void (*Call)(void *, void **);
template <std::size_t n> void call_with(void *function, void **arguments) {
    call(function, arguments, std::make_index_sequence<n>());
}
template <std::size_t... N> Call caller(std::size_t count, std::index_sequence<N...>) {
    static const Call all[] = {call_with<N>...};
    return all[count];
}

} // namespace

void call_native(void *function, void **arguments, std::size_t count) {
    OCCA_ERROR("occa::kernel: " << count << " arguments; there may be " << most_arguments, count <= most_arguments);
    caller(count, std::make_index_sequence<most_arguments + 1>())(function, arguments);
}

} // namespace occa
