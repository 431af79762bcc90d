// The command occa: what OCCA's users look at kernels and devices with. Kernels are translated by the command brook, which
// is installed beside it.
#include "options.hpp"

#include <occa.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using options::Command;
using options::Given;
using options::Option;

// The command brook: beside this one, or else as the shell would find it.
std::string brook() {
    std::string self(4096, '\0');
    const ssize_t length = readlink("/proc/self/exe", &self[0], self.size());
    if (length > 0) {
        self.resize(static_cast<std::size_t>(length));
        const std::string beside = self.substr(0, self.rfind('/') + 1) + "brook";
        if (access(beside.c_str(), X_OK) == 0) return beside;
    }
    return "brook";
}

// Runs it; its exit status. What it prints goes to where this prints, or to a text.
int run_brook(const std::vector<std::string> &words, std::string *output = nullptr) {
    const std::string program = brook();
    std::vector<char *> list{const_cast<char *>(program.c_str())};
    for (const std::string &word : words) list.push_back(const_cast<char *>(word.c_str()));
    list.push_back(nullptr);
    int ends[2] = {-1, -1};
    if (output != nullptr && pipe(ends) != 0) return 1;
    std::cout.flush();
    const pid_t child = fork();
    if (child == 0) {
        if (output != nullptr) {
            dup2(ends[1], 1);
            close(ends[0]);
            close(ends[1]);
        }
        execvp(list[0], list.data());
        _exit(127);
    }
    if (output != nullptr) {
        close(ends[1]);
        char part[4096];
        for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) output->append(part, static_cast<std::size_t>(got));
        close(ends[0]);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
    OCCA_ERROR("occa: there is no command 'brook' beside this one, nor in PATH", WEXITSTATUS(status) != 127);
    return WEXITSTATUS(status);
}

// Properties that are given once or more often, together.
occa::json properties(const std::vector<std::string> &texts) {
    occa::json all(occa::json::object_);
    for (const std::string &text : texts) all += occa::json::parse(text);
    return all;
}

// Kernels' properties with the defines and folders of the command line.
occa::json kernel_properties(const Given &given) {
    occa::json all = properties(given.all("kernel-props"));
    for (const std::string &define : given.all("define")) {
        const std::size_t equals = define.find('=');
        const std::string value = equals == std::string::npos ? "" : define.substr(equals + 1);
        all["defines"].asObject().set(define.substr(0, equals), value);
    }
    for (const std::string &folder : given.all("include-path")) all["okl/include_paths"].asArray().array().push_back(folder);
    return all;
}

bool exists(const std::string &file) {
    if (occa::io::exists(file)) return true;
    occa::printError("There is no file [" + file + "]");
    return false;
}

// A file that is gone when this is.
class Scratch {
  public:
    explicit Scratch(const std::string &text) {
        const char *const base = std::getenv("TMPDIR");
        path = std::string(base == nullptr ? "/tmp" : base) + "/occa-XXXXXX";
        const int file = mkstemp(&path[0]);
        OCCA_ERROR("occa: cannot write " << path, file >= 0);
        close(file);
        std::ofstream(path) << text;
    }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    ~Scratch() { unlink(path.c_str()); }
    std::string path;
};

int translate(const Given &given) {
    const std::string mode = given.has("mode") ? given.last("mode") : "Serial", file = given.arguments[0];
    std::string name;
    for (const char c : mode) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!exists(file)) return 1;
    const bool host = name.empty() || name == "serial" || name == "openmp";
    if (!host && name != "cuda" && name != "hip" && name != "opencl") {
        occa::printError("Kernels are not translated for the mode [" + mode + "]");
        return 1;
    }
    const occa::json props = kernel_properties(given);
    std::vector<std::string> words = {"transpile", "--backend", host ? "openmp" : name, "--emit",
                                      given.has("launcher") && !host ? "launcher" : "device"};
    for (const auto &define : props["defines"].object()) {
        words.insert(words.end(), {"-D", define.first + "=" + define.second.toString()});
    }
    for (const char *where : {"include_paths", "okl/include_paths"}) {
        for (const occa::json &folder : props[where].array()) words.insert(words.end(), {"-I", folder.toString()});
    }
    for (const occa::json &include : props["includes"].array()) words.insert(words.end(), {"--include", include.toString()});
    std::string headers;
    for (const occa::json &header : props["headers"].array()) headers += header.toString() + "\n";
    const Scratch before(headers);
    if (!headers.empty()) words.insert(words.end(), {"--include", before.path});
    words.insert(words.end(), {"--", file});
    std::string text;
    const int status = run_brook(words, &text);
    if (status != 0) return status;
    if (given.has("verbose")) {
        const std::time_t now = std::time(nullptr);
        char date[64];
        std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", std::localtime(&now));
        occa::json info;
        info["translate_info/filename"] = file;
        info["translate_info/mode"] = mode;
        info["translate_info/date"] = std::string(date);
        info["translate_info/occa_version"] = OCCA_VERSION_STR;
        info["translate_info/okl_version"] = OKL_VERSION_STR;
        info["kernel_properties"] = props;
        std::cout << "/* Made of:\n" << info << "\n*/\n";
    }
    std::cout << text;
    return 0;
}

int compile(const Given &given) {
    if (!exists(given.arguments[0])) return 1;
    occa::json props = kernel_properties(given);
    props["verbose"] = props.get("verbose", true);
    occa::device device(properties(given.all("device-props")));
    const occa::kernel built = device.buildKernel(given.arguments[0], given.arguments[1], props);
    return built.isInitialized() ? 0 : 1;
}

std::string value_of(const char *name) {
    const char *const value = std::getenv(name);
    return value == nullptr || *value == '\0' ? "[not set]" : value;
}

void print(const char *title, const std::vector<std::pair<const char *, std::string>> &rows) {
    std::cout << "  " << title << ":\n";
    for (const auto &row : rows) {
        const std::string name = row.first;
        std::cout << "    - " << name << std::string(27 - std::min<std::size_t>(26, name.size()), ' ') << ": " << row.second << '\n';
    }
}

void print(const char *title, std::initializer_list<const char *> names) {
    std::vector<std::pair<const char *, std::string>> rows;
    for (const char *name : names) rows.emplace_back(name, value_of(name));
    print(title, rows);
}

int environment(const Given &) {
    print("Folders", {"OCCA_DIR", "OCCA_INSTALL_DIR", "OCCA_CACHE_DIR"});
    std::vector<std::pair<const char *, std::string>> backends;
    const std::pair<const char *, const char *> all[] = {
        {"OCCA_OPENMP_ENABLED", "OpenMP"}, {"OCCA_CUDA_ENABLED", "CUDA"},   {"OCCA_HIP_ENABLED", "HIP"},
        {"OCCA_OPENCL_ENABLED", "OpenCL"}, {"OCCA_DPCPP_ENABLED", "dpcpp"}, {"OCCA_METAL_ENABLED", "Metal"},
    };
    for (const auto &backend : all) backends.emplace_back(backend.first, occa::modeIsEnabled(backend.second) ? "1" : "0");
    print("Modes", backends);
    print("Kernels", {"OCCA_KERNEL_PATH", "BROOK_CXX", "CXX", "BROOK_CACHE_DIR"});
    print("Kernels that are no OKL", {"OCCA_CXX", "OCCA_CXXFLAGS", "OCCA_CC", "OCCA_CFLAGS", "CC"});
    print("Without effect here",
          {"OCCA_VERBOSE", "OCCA_UNSAFE", "OCCA_LDFLAGS", "OCCA_COMPILER_SHARED_FLAGS", "OCCA_INCLUDE_PATH",
           "OCCA_LIBRARY_PATH", "OCCA_OPENCL_COMPILER_FLAGS", "OCCA_DPCPP_COMPILER", "OCCA_DPCPP_COMPILER_FLAGS",
           "OCCA_CUDA_COMPILER", "OCCA_CUDA_COMPILER_FLAGS", "OCCA_HIP_COMPILER", "OCCA_HIP_COMPILER_FLAGS"});
    return 0;
}

int info(const Given &) {
    occa::printModeInfo();
    return 0;
}

std::vector<std::string> modes() {
    std::vector<std::string> all;
    for (const char *mode : {"CUDA", "HIP", "OpenCL", "OpenMP", "Serial"}) {
        if (occa::modeIsEnabled(mode)) all.push_back(mode);
    }
    return all;
}

int print_modes(const Given &) {
    for (const std::string &mode : modes()) std::cout << mode << '\n';
    return 0;
}

int version(const Given &given) {
    std::cout << (given.has("okl") ? OKL_VERSION_STR : OCCA_VERSION_STR) << '\n';
    return 0;
}

// Kernels are all that is kept: there are no locks that somebody could leave behind.
int clear(const Given &given) {
    const char *const nothing = "There is nothing to remove\n";
    if (!given.has("all") && !given.has("kernels")) {
        std::cout << nothing;
        return 0;
    }
    std::string path;
    int status = run_brook({"cache", "path"}, &path);
    if (status != 0) return status;
    path = path.substr(0, path.find('\n'));
    if (access(path.c_str(), F_OK) != 0) {
        std::cout << nothing;
        return 0;
    }
    std::string answer = "y";
    if (!given.has("yes")) {
        std::cout << "Remove the kernels in " << path << "? [y/n] " << std::flush;
        std::cin >> answer;
    }
    if (answer == "y" || answer == "yes") return run_brook({"cache", "clear"});
    std::cout << "Nothing has been removed\n";
    return 0;
}

int autocomplete(const Given &);

const Option help = {'h', "help", "", "Print this"};
const Option define = {'D', "define", "NAME=VALUE", "Define a macro; may stand several times"};
const Option include = {'I', "include-path", "DIR", "Search a folder for included files; may stand several times"};
const Option kernel_props = {'k', "kernel-props", "JSON", "Properties of the kernel; those of several are merged"};

const std::vector<Command> &commands() {
    static const std::vector<Command> all = {
        {"version", "The version of the interface", {{0, "okl", "", "That of OKL instead"}, help}, {}, version},
        {"clear",
         "Remove compiled kernels from the cache",
         {{'a', "all", "", "Whatever is there"},
          {0, "kernels", "", "Kernels, which is all there is"},
          {'l', "locks", "", "Locks, of which there are none"},
          {'y', "yes", "", "Do not ask"},
          help},
         {},
         clear},
        {"translate",
         "Print what the kernels of a file become",
         {{'m', "mode", "MODE", "Serial, OpenMP, CUDA, HIP or OpenCL; Serial without it"},
          {'l', "launcher", "", "Print the part for the host instead"},
          kernel_props,
          include,
          define,
          {'v', "verbose", "", "Say before the source what it was made of"},
          help},
         {"FILE"},
         translate},
        {"compile",
         "Build a kernel, and say what is wrong with it",
         {{'d', "device-props", "JSON", "Properties of the device; those of several are merged"},
          kernel_props,
          include,
          define,
          help},
         {"FILE", "KERNEL"},
         compile},
        {"env", "Variables of the environment, and what they say", {help}, {}, environment},
        {"info", "The devices that there are", {help}, {}, info},
        {"modes", "The modes that there are", {help}, {}, print_modes},
        {"autocomplete", "A function for bash that completes commands and options", {help}, {"SHELL"}, autocomplete},
    };
    return all;
}

int autocomplete(const Given &given) {
    if (given.arguments[0] != "bash") {
        occa::printError("There are functions for [bash] only");
        return 1;
    }
    std::string names;
    for (const Command &command : commands()) names += (names.empty() ? "" : " ") + command.name;
    std::cout << "_occa() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" words=\"\"\n"
                 "  if [ \"$COMP_CWORD\" = 1 ]; then\n    words=\""
              << names
              << "\"\n  else\n    case \"${COMP_WORDS[1]} $before\" in\n"
                 "      \"translate -m\" | \"translate --mode\") words=\"";
    for (const std::string &mode : modes()) std::cout << mode << ' ';
    std::cout << "\" ;;\n      *) case \"${COMP_WORDS[1]}\" in\n";
    for (const Command &command : commands()) {
        std::cout << "        " << command.name << ") words=\"";
        for (const Option &option : command.options) std::cout << "--" << option.name << ' ';
        std::cout << "\" ;;\n";
    }
    std::cout << "      esac ;;\n    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\n"
                 "complete -o bashdefault -o default -F _occa occa\n";
    return 0;
}

int run(const std::vector<std::string> &words) {
    const bool asked = !words.empty() && (words[0] == "-h" || words[0] == "--help" || words[0] == "help");
    if (words.empty() || asked) {
        (asked ? std::cout : std::cerr) << options::usage(commands());
        return asked ? 0 : 1;
    }
    for (const Command &command : commands()) {
        if (command.name != words[0]) continue;
        try {
            const Given given = options::parse(command, {words.begin() + 1, words.end()});
            if (!given.has("help")) return command.run(given);
            std::cout << options::usage(command);
            return 0;
        } catch (const options::Error &error) {
            occa::printError(error.message);
            std::cerr << '\n' << options::usage(command);
            return 1;
        }
    }
    occa::printError("There is no command [" + words[0] + "]");
    std::cerr << '\n' << options::usage(commands());
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const occa::exception &error) {
        std::cerr << error.what();
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
    }
    return 1;
}
