#include "core/run/peaks/CudaCalls.h"
#include "core/run/values/HostTensor.h"
#include "core/runtime/device/CudaEvents.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include <chrono>
#include <cmath>
#include <cstring>

namespace fuselage {

unsigned cudaElementBytes(llvm::StringRef type) {
  return llvm::StringSwitch<unsigned>(type).Case("f32", 4).Cases({"f16", "bf16"}, 2).Default(0);
}

int cudaDataType(llvm::StringRef type) {
  // CUDA_R_32F, CUDA_R_16F, CUDA_R_16BF of library_types.h.
  return llvm::StringSwitch<int>(type).Case("f32", 0).Case("f16", 2).Case("bf16", 14).Default(-1);
}

static const llvm::fltSemantics &semanticsOf(llvm::StringRef type) {
  return type == "f16"    ? llvm::APFloat::IEEEhalf()
         : type == "bf16" ? llvm::APFloat::BFloat()
                          : llvm::APFloat::IEEEsingle();
}

/// The bytes of a one, as they lie in memory.
static uint32_t oneOf(llvm::StringRef type) {
  return static_cast<uint32_t>(llvm::APFloat::getOne(semanticsOf(type)).bitcastToAPInt().getZExtValue());
}

static std::vector<uint8_t> ones(const CudaOperand &operand) {
  unsigned width = cudaElementBytes(operand.type);
  uint32_t one = oneOf(operand.type);
  std::vector<uint8_t> bytes(size_t(operand.elements) * width);
  for (size_t at = 0; at < bytes.size(); at += width)
    std::memcpy(&bytes[at], &one, width);
  return bytes;
}

llvm::Error CudaCalls::prepare(llvm::ArrayRef<CudaOperand> operands, bool coldCaches) {
  constexpr uint64_t atLeast = 64 << 20, mostSets = 32;
  operands_.assign(operands.begin(), operands.end());
  uint64_t bytes = 0;
  for (const CudaOperand &operand : operands_)
    bytes += uint64_t(operand.elements) * cudaElementBytes(operand.type);
  const DeviceInfo &info = device_.info();
  uint64_t cache = std::max<uint64_t>(atLeast, 2 * std::max<int64_t>(info.model.lastCacheBytes.value, 0));
  uint64_t sets = coldCaches && bytes > 0 ? std::min(mostSets, cache / bytes + 2) : 1;
  if (info.memoryBytes != 0 && bytes > 0)
    sets = std::clamp<uint64_t>(info.memoryBytes / 4 / bytes, 1, sets);
  std::vector<std::vector<uint8_t>> contents;
  for (const CudaOperand &operand : operands_)
    contents.push_back(ones(operand));
  for (uint64_t set = 0; set < sets; ++set) {
    sets_.emplace_back();
    for (const std::vector<uint8_t> &content : contents) {
      auto buffer = device_.allocate(content.size());
      if (!buffer)
        return buffer.takeError();
      if (llvm::Error error = device_.upload(**buffer, content))
        return error;
      sets_.back().push_back(std::move(*buffer));
    }
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<double>> CudaCalls::time(const MatmulTiming &timing, const std::string &what,
                                                    llvm::function_ref<llvm::Error(llvm::ArrayRef<void *>)> call) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned warmups = 2;
  if (llvm::Error error = context_->enter())
    return error;
  CudaEvents events(context_);
  if (llvm::Error error = events.create(2))
    return error;
  std::vector<double> times;
  auto begin = Clock::now();
  for (unsigned i = 0; i < warmups + timing.launches; ++i) {
    bool isTimed = i >= warmups;
    if (isTimed && !times.empty() && std::chrono::duration<double>(Clock::now() - begin).count() > timing.seconds)
      break;
    if (timing.cancelled && timing.cancelled->load())
      return fail("cancelled");
    std::vector<void *> addresses;
    for (const std::unique_ptr<DeviceBuffer> &buffer : sets_[i % sets_.size()])
      addresses.push_back(reinterpret_cast<void *>(static_cast<CudaBuffer *>(buffer.get())->address));
    if (llvm::Error error = events.record(0))
      return error;
    llvm::Error called = call(addresses);
    llvm::Error marked = called ? llvm::Error::success() : llvmError(events.record(1));
    // Also after a failure: what is in the stream uses memory that is about to go.
    llvm::Error ended = context_->wait({.timeoutSeconds = 30, .cancelled = timing.cancelled}, what);
    if (llvm::Error error = llvm::joinErrors(std::move(called), llvm::joinErrors(std::move(marked), std::move(ended))))
      return fail(takeFailure(std::move(error)).message);
    llvm::Expected<double> time = events.microseconds(0);
    if (!time)
      return time.takeError();
    if (isTimed)
      times.push_back(*time);
  }
  return times;
}

llvm::Error CudaCalls::check(double expected, const std::string &library, const std::string &what) {
  llvm::Expected<bool> isRight = isResult(expected);
  if (!isRight)
    return isRight.takeError();
  return *isRight ? llvm::Error::success()
                  : fail(library + " cannot be timed: the result of its " + what + " is wrong");
}

llvm::Expected<bool> CudaCalls::isResult(double expected) {
  DeviceBuffer &result = *sets_.front().back();
  std::vector<uint8_t> bytes(result.byteCount());
  if (llvm::Error error = device_.download(result, bytes))
    return error;
  const CudaOperand &operand = operands_.back();
  unsigned width = cudaElementBytes(operand.type);
  for (size_t at : {size_t(0), bytes.size() - width}) {
    uint32_t bits = 0;
    std::memcpy(&bits, &bytes[at], width);
    double value = llvm::APFloat(semanticsOf(operand.type), llvm::APInt(width * 8, bits)).convertToDouble();
    if (!(std::abs(value - expected) <= 0.01 * std::abs(expected)))
      return false;
  }
  return true;
}

} // namespace fuselage
