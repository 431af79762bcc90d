// A place in a stream.
#ifndef OCCA_CORE_STREAMTAG_HPP
#define OCCA_CORE_STREAMTAG_HPP

#include <memory>

namespace occa {

class device;
class modeDevice_t;
class modeStreamTag_t;

class streamTag {
  public:
    // None.
    streamTag() = default;
    explicit streamTag(std::shared_ptr<modeStreamTag_t> self_) : self(std::move(self_)) {}

    bool isInitialized() const;
    modeStreamTag_t *getModeStreamTag() const { return self.get(); }
    modeDevice_t *getModeDevice() const;
    occa::device getDevice() const;
    // Until everything before it has finished.
    void wait() const;

    bool operator==(const occa::streamTag &other) const { return self == other.self; }
    bool operator!=(const occa::streamTag &other) const { return self != other.self; }

    void free();
    // The address of a CUevent, hipEvent_t or cl_event; throws where there is none.
    void *unwrap();
    void dontUseRefs();

  private:
    std::shared_ptr<modeStreamTag_t> self;
};

} // namespace occa

#endif
