// Several processes of one MPI job, from C++17: what one of them compiles for all, and entries of the same number.
#ifndef BROOK_PROCESSES_HPP
#define BROOK_PROCESSES_HPP

#include <brook/okl.hpp>

namespace brook {

// Processes that know each other by number. Copies are the same. Whatever takes one is called by all of them at once.
class Communicator {
  public:
    // None.
    Communicator() = default;

    // All processes of the job that mpirun has started; only this one where it has not.
    static Communicator world() { return Communicator(detail::made(brook_communicator_world())); }
    // Those of a communicator that the program has: MPI_Comm_c2f(comm).
    static Communicator import(int fortran) { return Communicator(detail::made(brook_communicator_import(fortran))); }

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_communicator *get() const noexcept { return handle.get(); }
    // This process's number, from 0 on.
    int rank() const { return known(brook_communicator_rank(get())); }
    int size() const { return known(brook_communicator_size(get())); }

    // The device that this process takes of those of its machine: "cuda" is the GPU of its number among the processes there,
    // nothing the best kind of device that there is. It is not a call of all.
    Device device(const std::string &name = "") const {
        return Device(detail::made(brook_device_open_local(name.c_str(), get())));
    }
    // A program of a file, for a device of each process: one of them compiles what none has in its kernel cache.
    Program file(const Device &device, const std::string &path, const BuildOptions &options = BuildOptions()) const {
        return options.with([&](const brook_build_options *all) {
            return Program(detail::made(brook_program_build_file_together(device.get(), get(), path.c_str(), all)));
        });
    }
    // The same of a text; the name is what messages call it.
    Program source(const Device &device, std::string_view text, const BuildOptions &options = BuildOptions(),
                   const std::string &name = "source.okl") const {
        return options.with([&](const brook_build_options *all) {
            const char *first = text.data() == nullptr ? "" : text.data();
            return Program(detail::made(
                brook_program_build_together(device.get(), get(), name.c_str(), first, text.size(), all)));
        });
    }

  private:
    static int known(int number) {
        if (number < 0) detail::fail();
        return number;
    }

    explicit Communicator(brook_communicator *owned) noexcept : handle(owned) {}

    detail::Shared<brook_communicator, brook_communicator_retain, brook_communicator_release> handle;
};

// Entries of the same number, on a device and in other processes. Copies share it.
class GatherScatter {
  public:
    // None.
    GatherScatter() = default;
    // For arrays whose entry i has the number numbers[i]: 1 or more, or 0 of an entry that stays as it is.
    GatherScatter(const Device &device, const std::vector<long long> &numbers)
        : handle(detail::made(brook_gather_scatter_create(device.get(), nullptr, numbers.data(), numbers.size()))) {}
    // The same numbers of other processes are the same entries.
    GatherScatter(const Device &device, const Communicator &communicator, const std::vector<long long> &numbers)
        : handle(detail::made(
              brook_gather_scatter_create(device.get(), communicator.get(), numbers.data(), numbers.size()))) {}

    explicit operator bool() const noexcept { return get() != nullptr; }
    brook_gather_scatter *get() const noexcept { return handle.get(); }

    // Gives entries of the same number the sum (BROOK_PRODUCT, BROOK_MIN, BROOK_MAX) of all of them. Memory is of float, double,
    // int or long long: so many fields, one behind the other, of as many entries as there are numbers.
    template <class T>
    void run(const Memory<T> &memory, std::size_t fields = 1, brook_reduction reduction = BROOK_SUM) const {
        detail::check(brook_gather_scatter_run(get(), memory.get(), fields, reduction));
    }
    // The same in two steps. What is launched between them leaves entries alone that other processes have, and goes on while
    // messages are under way.
    template <class T>
    void begin(const Memory<T> &memory, std::size_t fields = 1, brook_reduction reduction = BROOK_SUM) const {
        detail::check(brook_gather_scatter_begin(get(), memory.get(), fields, reduction));
    }
    void finish() const { detail::check(brook_gather_scatter_finish(get())); }

  private:
    detail::Shared<brook_gather_scatter, brook_gather_scatter_retain, brook_gather_scatter_release> handle;
};

} // namespace brook

#endif
