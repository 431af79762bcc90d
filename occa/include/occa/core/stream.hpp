// What is done in order, beside other streams and the host.
#ifndef OCCA_CORE_STREAM_HPP
#define OCCA_CORE_STREAM_HPP

#include <occa/types/json.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace occa {

class device;
class modeDevice_t;
class modeStream_t;

// Copies are the same stream; the end of the last one waits for it.
class stream {
  public:
    // None.
    stream() = default;
    explicit stream(std::shared_ptr<modeStream_t> self_) : self(std::move(self_)) {}

    bool isInitialized() const;
    modeStream_t *getModeStream() const { return self.get(); }
    modeDevice_t *getModeDevice() const;
    occa::device getDevice() const;
    // "No Mode" for none.
    const std::string &mode() const;
    const occa::json &properties() const;

    bool operator==(const occa::stream &other) const { return self == other.self; }
    bool operator!=(const occa::stream &other) const { return self != other.self; }

    // All copies are none afterwards.
    void free();
    // Waits for all that was enqueued.
    void finish();
    // Where the CUstream, hipStream_t or cl_command_queue is; throws for the processor, which has none.
    void *unwrap();
    void dontUseRefs();

  private:
    std::shared_ptr<modeStream_t> self;
};

std::ostream &operator<<(std::ostream &out, const occa::stream &stream);

} // namespace occa

#endif
