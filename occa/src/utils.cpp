// Exceptions, settings, hashes, files.
#include <occa/core/base.hpp>
#include <occa/utils.hpp>

#include "files.hpp"
#include "output.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace occa {

exception::exception(const std::string &header_, const std::string &filename_, const std::string &function_, int line_,
                     const std::string &message_)
    : header(header_), filename(filename_), function(function_), message(message_), line(line_),
      exceptionMessage(toString()) {}

exception::~exception() noexcept = default;

const char *exception::what() const noexcept { return exceptionMessage.c_str(); }

std::string exception::location() const {
    return "    File     : " + filename + "\n    Line     : " + std::to_string(line) + "\n    Function : " + function + "\n";
}

std::string exception::toString(int) const {
    std::string indented;
    for (const char c : message) {
        indented += c;
        if (c == '\n') indented += "               ";
    }
    return "\n---[ " + header + " ]---\n" + location() + "    Message  : " + indented + "\n";
}

std::ostream &operator<<(std::ostream &out, const exception &error) { return out << error.toString(); }

void error(const std::string &filename, const std::string &function, int line, const std::string &message) {
    throw exception("Error", filename, function, line, message);
}

void warn(const std::string &filename, const std::string &function, int line, const std::string &message) {
    output::print_error(exception("Warning", filename, function, line, message).toString());
}

void printWarning(const std::string &message, const std::string &code) {
    output::print_error("Warning" + (code.empty() ? "" : " " + code) + ": " + message + '\n');
}

void printError(const std::string &message, const std::string &code) {
    output::print_error("Error" + (code.empty() ? "" : " " + code) + ": " + message + '\n');
}

json &settings() {
    static json all{json::object_};
    return all;
}

namespace {

// A folder's name with a slash behind it.
std::string folder(const std::string &path) { return path.empty() || path.back() == '/' ? path : path + '/'; }

std::string variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::string cache_folder() {
    const std::string chosen = variable("OCCA_CACHE_DIR");
    if (!chosen.empty()) {
        // Brook's own variable stands if somebody set it.
        setenv("BROOK_CACHE_DIR", chosen.c_str(), 0);
        return folder(chosen);
    }
    return folder(variable("HOME")) + ".occa/";
}

std::map<std::string, std::string> &libraries() {
    static std::map<std::string, std::string> all;
    return all;
}

std::mutex &libraries_mutex() {
    static std::mutex one;
    return one;
}

} // namespace

namespace env {

std::string OCCA_DIR = folder(variable("OCCA_DIR"));
std::string OCCA_INSTALL_DIR = folder(variable("OCCA_INSTALL_DIR"));
std::string OCCA_CACHE_DIR = cache_folder();

void setOccaCacheDir(const std::string &path) {
    OCCA_CACHE_DIR = folder(path);
    setenv("BROOK_CACHE_DIR", path.c_str(), 1);
}

} // namespace env

namespace io {

bool exists(const std::string &filename) { return access(files::find(filename).c_str(), F_OK) == 0; }

void addLibraryPath(const std::string &library, const std::string &path) {
    OCCA_ERROR("occa::io::addLibraryPath: the library has no name", !library.empty());
    const std::lock_guard<std::mutex> guard(libraries_mutex());
    libraries()[library] = folder(path);
}

} // namespace io

namespace files {

std::string read(const std::string &filename) {
    std::ifstream file(filename, std::ios::binary);
    OCCA_ERROR("cannot read the file '" << filename << "'", file.good());
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void write(const std::string &filename, const std::string &text) {
    std::ofstream file(filename, std::ios::binary);
    file << text << std::flush;
    OCCA_ERROR("cannot write the file '" << filename << "'", file.good());
}

std::string find(const std::string &filename) {
    const std::string scheme = "occa://";
    if (filename.compare(0, scheme.size(), scheme) == 0) {
        const std::size_t slash = filename.find('/', scheme.size());
        const std::string library = filename.substr(scheme.size(), slash - scheme.size());
        const std::lock_guard<std::mutex> guard(libraries_mutex());
        const auto found = libraries().find(library);
        OCCA_ERROR("'" << filename << "' names a library that occa::io::addLibraryPath was not told of",
                   found != libraries().end() && slash != std::string::npos);
        return found->second + filename.substr(slash + 1);
    }
    if (filename.empty() || filename[0] == '/' || access(filename.c_str(), F_OK) == 0) return filename;
    const std::string paths = variable("OCCA_KERNEL_PATH");
    for (std::size_t first = 0; first < paths.size();) {
        const std::size_t end = std::min(paths.find(':', first), paths.size());
        const std::string candidate = folder(paths.substr(first, end - first)) + filename;
        if (access(candidate.c_str(), F_OK) == 0) return candidate;
        first = end + 1;
    }
    return filename;
}

std::string folder_in_cache(const std::string &name) {
    const std::string path = env::OCCA_CACHE_DIR + "cache/" + name + "/";
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
        // Some are there; what cannot be made shows when it is written into.
        mkdir(path.substr(0, slash).c_str(), 0777);
    }
    return path;
}

} // namespace files

hash_t::hash_t() : initialized(false), h() {}

hash_t::hash_t(const int *numbers) : initialized(true), h() { std::copy(numbers, numbers + 8, h); }

void hash_t::clear() { *this = hash_t(); }

bool hash_t::operator==(const hash_t &other) const {
    return initialized == other.initialized && std::equal(h, h + 8, other.h);
}

bool hash_t::operator!=(const hash_t &other) const { return !(*this == other); }

bool hash_t::operator<(const hash_t &other) const {
    return std::lexicographical_compare(h, h + 8, other.h, other.h + 8);
}

hash_t hash_t::operator^(const hash_t &other) const {
    hash_t both = *this;
    return both ^= other;
}

hash_t &hash_t::operator^=(const hash_t &other) {
    for (int i = 0; i < 8; ++i) h[i] ^= other.h[i];
    initialized = initialized || other.initialized;
    return *this;
}

int hash_t::getInt() const {
    int all = 0;
    for (const int number : h) all ^= number;
    return all;
}

std::string hash_t::getFullString() const {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (const int number : h) {
        for (int shift = 28; shift >= 0; shift -= 4) text += digits[static_cast<unsigned>(number) >> shift & 15];
    }
    return text;
}

std::string hash_t::getString() const { return getFullString().substr(0, 16); }

hash_t hash_t::fromString(const std::string &digits) {
    OCCA_ERROR("occa::hash_t::fromString: 64 hexadecimal digits, not '" << digits << "'",
               digits.size() == 64 && digits.find_first_not_of("0123456789abcdef") == std::string::npos);
    int numbers[8];
    for (std::size_t i = 0; i < 8; ++i) {
        numbers[i] = static_cast<int>(std::stoul(digits.substr(8 * i, 8), nullptr, 16));
    }
    return hash_t(numbers);
}

hash_t hash_t::random() {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> guard(mutex);
    static std::random_device source;
    int numbers[8];
    for (int &number : numbers) number = static_cast<int>(source());
    return hash_t(numbers);
}

std::ostream &operator<<(std::ostream &out, const hash_t &hash) { return out << hash.getString(); }

hash_t hash(const void *data, udim_t bytes) {
    // Four sums of 64 bits over the bytes, each with a start and a multiplier of its own.
    uint64_t sums[4] = {0xcbf29ce484222325u, 0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0x165667b19e3779f9u};
    static const uint64_t factors[4] = {0x100000001b3u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u, 0x9fb21c651e98df25u};
    const unsigned char *first = static_cast<const unsigned char *>(data);
    for (udim_t i = 0; i < bytes; ++i) {
        for (int k = 0; k < 4; ++k) sums[k] = (sums[k] ^ first[i]) * factors[k];
    }
    int numbers[8];
    for (int k = 0; k < 4; ++k) {
        sums[k] = (sums[k] ^ sums[k] >> 31 ^ bytes) * factors[3 - k];
        numbers[2 * k] = static_cast<int>(sums[k] >> 32);
        numbers[2 * k + 1] = static_cast<int>(sums[k] & 0xffffffffu);
    }
    return hash_t(numbers);
}

hash_t hash(const std::string &text) { return hash(text.data(), text.size()); }

hash_t hash(const char *text) { return hash(std::string(text)); }

hash_t hashFile(const std::string &filename) { return hash(files::read(files::find(filename))); }

udim_t &dim::operator[](int i) {
    OCCA_ERROR("occa::dim has the extents 0 to 2, not " << i, i >= 0 && i <= 2);
    return i == 0 ? x : i == 1 ? y : z;
}

udim_t dim::operator[](int i) const { return const_cast<dim &>(*this)[i]; }

std::ostream &operator<<(std::ostream &out, const dim &d) {
    out << '[';
    for (int i = 0; i < d.dims; ++i) out << (i == 0 ? "" : ", ") << d[i];
    return out << ']';
}

} // namespace occa
