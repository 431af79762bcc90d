// Declarations of what launchers use of metal-cpp, so that they are compiled where there is no Metal.
#ifndef BROOK_METAL_HPP
#define BROOK_METAL_HPP 1
namespace NS {
typedef unsigned long UInteger;
enum StringEncoding : UInteger { UTF8StringEncoding = 4 };
class String {
 public:
  static String *string(const char *text, StringEncoding encoding);
};
class Error;
}  // namespace NS
namespace MTL {
struct Size {
  NS::UInteger width, height, depth;
  Size(NS::UInteger w, NS::UInteger h, NS::UInteger d) : width(w), height(h), depth(d) {}
};
class Object {
 public:
  void release();
};
class Buffer : public Object {};
class Function : public Object {};
class ComputePipelineState : public Object {
 public:
  NS::UInteger maxTotalThreadsPerThreadgroup() const;
};
class Device : public Object {
 public:
  ComputePipelineState *newComputePipelineState(const Function *function, NS::Error **error);
};
class Library : public Object {
 public:
  Function *newFunction(const NS::String *name);
  Device *device() const;
};
class ComputeCommandEncoder : public Object {
 public:
  void setComputePipelineState(const ComputePipelineState *state);
  void setBuffer(const Buffer *buffer, NS::UInteger offset, NS::UInteger index);
  void setBytes(const void *bytes, NS::UInteger length, NS::UInteger index);
  void dispatchThreadgroups(Size groups, Size items);
  void endEncoding();
};
class CommandBuffer : public Object {
 public:
  ComputeCommandEncoder *computeCommandEncoder();
  void commit();
};
class CommandQueue : public Object {
 public:
  CommandBuffer *commandBuffer();
};
}  // namespace MTL
#endif
