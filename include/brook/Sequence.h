// Calls that are recorded once and replayed.
#ifndef BROOK_SEQUENCE_H
#define BROOK_SEQUENCE_H

#include <brook/Device.h>
#include <brook/abi.h>

#include <utility>

namespace brook {

// What a function calls, recorded for this thread's current device instead of done: see brook_record_begin. Errors of
// calls stay with their streams.
class Sequence {
  public:
    template <class F> explicit Sequence(F &&work) : handle(nullptr) {
        if (brook_record_begin() != 0) return;
        struct End {
            brook_sequence *&handle;
            // Also where the function throws.
            ~End() { handle = brook_record_end(); }
        } end = {handle};
        std::forward<F>(work)();
    }
    // The same for a device of the caller's choice, for launches of OKL kernels. With <brook/okl.hpp>.
    template <class F> Sequence(const Device &device, F &&work);
    Sequence(Sequence &&other) noexcept : handle(other.handle) { other.handle = nullptr; }
    Sequence &operator=(Sequence &&other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    Sequence(const Sequence &) = delete;
    Sequence &operator=(const Sequence &) = delete;
    ~Sequence() { brook_sequence_release(handle); }

    // Does it again; false if it could not be recorded or the device failed, of which brook_last_error says more.
    bool launch() const { return brook_sequence_launch(handle) == 0; }

    // Does it again, in a queue. With <brook/okl.hpp>.
    template <class Queue> void launch_on(const Queue &queue) const;

  private:
    brook_sequence *handle;
};

} // namespace brook

#endif
