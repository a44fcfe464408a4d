// Machine code of the host, loaded and called in this process.
#pragma once
#include "core/executable/HostCallForm.h"
#include "core/support/Result.h"
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace fuselage {

class HostArena;
class HostThreads;

/// In the message of a call that did not come to its end, between the function and the reason.
inline constexpr char kStoppedOnHost[] = " stopped on the host: ";
/// Whether a message says that the program itself stopped: not for want of memory, and nobody cancelled it.
bool isStopOnHost(std::string_view message);

/// What compiled code calls a ranked memref: {allocated, aligned, offset, sizes, strides}.
class MemRefDescriptor {
public:
  /// An empty one, for a result of this rank.
  explicit MemRefDescriptor(unsigned rank) : words_(3 + 2 * rank) {}
  /// Dense row-major memory at `data`.
  MemRefDescriptor(void *data, std::span<const int64_t> shape);
  unsigned rank() const { return (words_.size() - 3) / 2; }
  void *allocated() const { return reinterpret_cast<void *>(words_[0]); }
  void *aligned() const { return reinterpret_cast<void *>(words_[1]); }
  int64_t offset() const { return words_[2]; }
  std::span<const int64_t> sizes() const { return {words_.data() + 3, rank()}; }
  std::span<const int64_t> strides() const { return {words_.data() + 3 + rank(), rank()}; }
  void *data() { return words_.data(); }
  size_t byteCount() const { return words_.size() * 8; }

private:
  std::vector<int64_t> words_;
};

/// Where instrumented code came upon poison first (PoisonChecks.h).
struct HostPoison {
  int64_t site = 0, number = 0;
};

/// An object linked to nothing but what it is allowed to call: the linker knows the functions of HostSymbols.h and the
/// mathematical library by a list of names; no other symbol of the process can be reached, whatever the object
/// declares. Memory that a call allocates and does not return is freed after it; failed assertions, a lack of memory
/// and a cancel end the call with a Failure, not the process.
class HostCode {
public:
  static Result<std::unique_ptr<HostCode>> load(std::string_view object, std::shared_ptr<const HostCallForm> form);
  ~HostCode();

  const HostCallForm &form() const;
  /// How a function of the object is called; null if it holds none of that name.
  const HostFunctionForm *formOf(std::string_view function) const;

  /// Links what a call would link first. Failure: there is no such function, or it needs a symbol that it may not.
  Status prepare(std::string_view function);
  /// Calls a function, in this process: nothing holds it but the module's own sanity. What was not
  /// written here is called through measureOnHost(). `arguments[i]` points to argument i: a scalar, or
  /// MemRefDescriptor::data(). `results[i]` takes result i likewise. What returned memrefs point to is an argument's
  /// memory, a constant's, or a block of `arena()`, whose blocks stay until somebody releases them.
  Status call(std::string_view function, std::span<void *const> arguments, std::span<void *const> results = {});

  const std::shared_ptr<HostArena> &arena() const;
  /// Lets compiled code allocate from an arena that others use, too.
  void useArena(std::shared_ptr<HostArena> arena);
  /// What the kernels of later calls run on; null: the caller's thread alone.
  void useThreads(HostThreads *threads);
  /// Once true, running code stops soon (it looks in its outer loops) and the call is a Failure.
  void useCancel(const std::atomic<bool> *cancelled);
  /// Microseconds that the last call spent inside the compiled code.
  double lastMicroseconds() const;
  const std::optional<HostPoison> &lastPoison() const;

private:
  HostCode();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace fuselage
