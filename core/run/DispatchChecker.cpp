#include "core/run/DispatchChecker.h"
#include "core/device/HostProcessor.h"
#include "core/run/values/RoundingErrors.h"
#include "core/run/values/RunRecorder.h"
#include <chrono>
#include <cmath>
#include <thread>

using namespace mlir;

namespace fuselage {

SmallVector<bool> holdInfinities(ArrayRef<HostTensor> values, const std::atomic<bool> *cancelled) {
  return llvm::map_to_vector(values, [&](const HostTensor &value) {
    bool isCancelled = cancelled && cancelled->load();
    if (isCancelled || !llvm::isa<FloatType>(value.elementType()))
      return false;
    if (value.elementType().isF32())
      return llvm::any_of(value.as<float>(), [](float number) { return std::isinf(number); });
    for (int64_t i = 0; i < value.elementCount(); ++i)
      if (std::isinf(value.floatAt(i)))
        return true;
    return false;
  });
}

void DispatchChecker::plan(func::FuncOp dispatch) {
  auto [known, isNew] = known_.try_emplace(dispatch);
  if (!isNew)
    return;
  auto chain = HostChain::plan(program_.plainOf(dispatch), pieces_, options_.host);
  if (chain)
    known->second.chain = std::move(*chain);
  else
    known->second.failure = takeFailure(chain.takeError());
}

llvm::Error DispatchChecker::add(func::FuncOp dispatch, ArrayRef<RuntimeValue> arguments, const DispatchRun &run,
                                 size_t firstRow, bool isFirst) {
  plan(dispatch);
  Known &known = known_[dispatch];
  if (!known.failure)
    if (llvm::Error error = known.chain->checkCompiled())
      known.failure = takeFailure(std::move(error));
  if (known.failure)
    return fail("@" + dispatch.getName().str() + " cannot be checked on the host: " + known.failure->message,
                known.failure->diagnostics);
  Pending pending{.chain = known.chain.get(),
                  .dispatch = dispatch,
                  .inputs = {},
                  .results = {},
                  .firstRow = firstRow,
                  .rows = run.reports.size(),
                  .isFirst = isFirst};
  for (const RuntimeValue &argument : arguments) {
    auto tensor = argument.toHost(device_);
    if (!tensor)
      return tensor.takeError();
    pending.inputs.push_back(std::move(*tensor));
  }
  for (const RuntimeValue &result : run.results) {
    auto tensor = result.toHost(device_);
    if (!tensor)
      return tensor.takeError();
    pendingBytes_ += tensor->byteCount();
    if (options_.alter)
      options_.alter(*tensor);
    pending.results.push_back(std::move(*tensor));
  }
  pending_.push_back(std::move(pending));
  return llvm::Error::success();
}

bool DispatchChecker::isFull() const {
  constexpr uint64_t much = uint64_t(128) << 20;
  return pendingBytes_ >= much;
}

std::vector<ErrorBound> DispatchChecker::boundsOf(const Pending &pending, bool keepsDenormals) const {
  std::vector<ErrorBound> bounds = errorBoundsOf(pending.dispatch, holdInfinities(pending.inputs), options_.tf32);
  fitBounds(bounds, inputsGiven_, keepsDenormals);
  return bounds;
}

llvm::Error DispatchChecker::record(const Pending &pending, const ReferenceResults &reference) const {
  if (!options_.recorder || !pending.isFirst)
    return llvm::Error::success();
  ArrayRef<HostTensor> expected = reference.outputs;
  return options_.recorder->record(
      {.dispatch = pending.dispatch,
       .firstRow = pending.firstRow,
       .inputs = pending.inputs,
       .expected = expected,
       .bounds = boundsOf(pending, /*keepsDenormals=*/false), // it may be launched elsewhere
       .other = pending.chain->computeOtherwise(pending.inputs, expected, options_.cancelled),
       .meaningless = reference.meaningless});
}

llvm::Expected<Comparison> DispatchChecker::compare(const Pending &pending, HostResults found) const {
  ReferenceResults reference = checkChance(*pending.chain, pending.inputs, std::move(found), options_.cancelled);
  if (llvm::Error error = record(pending, reference))
    return error;
  ArrayRef<HostTensor> expected = reference.outputs;
  std::vector<Comparison> results =
      compareResults(pending.results, expected, boundsOf(pending, device_->takesHostMemory()),
                     [&] { return pending.chain->computeOtherwise(pending.inputs, expected, options_.cancelled); });
  Comparison worst;
  worst.verdict = CheckVerdict::Ok; // of no results
  for (auto [index, result] : llvm::enumerate(results))
    worst = index == 0 ? result : worseOf(worst, result);
  if (!reference.meaningless.empty()) {
    worst.verdict = CheckVerdict::NotComparable;
    worst.why = reference.meaningless;
  }
  return worst;
}

/// On all processors; the first error counts.
llvm::Error DispatchChecker::check(std::vector<Comparison> &checks) {
  constexpr size_t inOneCopy = 16; // of the process, whose making takes time
  std::mutex mutex;                // of errors, and of the context, which comparing may use
  llvm::Error errors = llvm::Error::success();
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t first = next.fetch_add(inOneCopy); first < pending_.size(); first = next.fetch_add(inOneCopy)) {
      size_t end = std::min(first + inOneCopy, pending_.size());
      std::vector<HostChain::Call> calls;
      for (size_t i = first; i < end; ++i)
        calls.push_back({.chain = pending_[i].chain, .arguments = pending_[i].inputs});
      auto results = HostChain::callAll(calls, options_.cancelled, {}, &mutex);
      std::lock_guard lock(mutex);
      for (size_t i = first; i < end; ++i) {
        auto &expected = results[i - first];
        llvm::Expected<Comparison> check = Comparison();
        if (expected && options_.cancelled && options_.cancelled->load())
          check = fail("cancelled");
        else if (expected)
          check = compare(pending_[i], std::move(*expected));
        else
          check = expected.takeError();
        if (check)
          checks[i] = *check;
        else if (errors)
          llvm::consumeError(check.takeError());
        else
          errors = check.takeError();
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < processorCount() && i * inOneCopy < pending_.size(); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  return errors;
}

llvm::Error DispatchChecker::drain(std::vector<KernelReport> &reports) {
  auto start = std::chrono::steady_clock::now();
  std::vector<Comparison> checks(pending_.size());
  llvm::Error error = check(checks);
  for (auto [pending, check] : llvm::zip_equal(pending_, checks))
    for (size_t row = pending.firstRow; row < pending.firstRow + pending.rows; ++row)
      reports[row].check = pending.isFirst ? check : worseOf(reports[row].check, check);
  pending_.clear();
  pendingBytes_ = 0;
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return error;
}

} // namespace fuselage
