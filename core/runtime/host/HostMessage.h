// What a forked copy says of its call: values and times, or why it stopped.
#pragma once
#include "core/executable/HostCallForm.h"
#include "core/runtime/host/HostValues.h"
#include "core/support/Result.h"
#include <span>

namespace fuselage {

/// Writes into a file in memory that both processes hold (memfd_create). Numbers are 64-bit words of this
/// machine, data starts at multiples of 64 bytes.
class HostMessageWriter {
public:
  explicit HostMessageWriter(int file) : file_(file) {}
  void word(uint64_t value) { bytes(&value, sizeof value); }
  void text(std::string_view text);
  /// Dense data under a shape.
  void data(std::span<const int64_t> shape, const void *data, uint64_t byteCount);
  /// Memory of an argument, from a byte on.
  void alias(std::span<const int64_t> shape, unsigned argument, uint64_t offset);
  /// False once something could not be written: no memory is left.
  bool good() const { return good_; }

private:
  void bytes(const void *from, uint64_t count);
  void shape(std::span<const int64_t> shape);
  int file_;
  uint64_t written_ = 0;
  bool good_ = true;
};

/// Reads what a copy wrote. The copy ran somebody else's code: nothing of it is believed unless it fits.
/// `overheadUs` is left at minus the time in compiled code, for the caller to add what the call took.
/// Failure: what the copy said, or that the message does not fit the forms.
Result<HostCallResults> readHostMessage(int file, std::span<const HostValueForm> forms,
                                        std::span<const HostValue> arguments);

/// The first word of a message.
enum class HostOutcome : uint64_t { Failed = 1, Finished = 2 };

} // namespace fuselage
