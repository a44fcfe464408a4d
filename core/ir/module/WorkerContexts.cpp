#include "core/ir/module/WorkerContexts.h"
#include "core/device/HostProcessor.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/ir/module/MakeContext.h"
#include "core/support/LargeStack.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <thread>

using namespace mlir;

namespace fuselage {

std::string packModule(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(writeBytecodeToFile(module, os)))
    return "";
  return bytes;
}

OwningOpRef<ModuleOp> unpackModule(StringRef bytes, MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return success(); });
  Block block;
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(readBytecodeFile(llvm::MemoryBufferRef(bytes, "module"), &block, config)) || block.empty())
    return nullptr;
  auto module = llvm::dyn_cast<ModuleOp>(block.front());
  if (!module)
    return nullptr;
  module->remove();
  return module;
}

WorkerContexts::WorkerContexts(MLIRContext &like) : registry_(like.getDialectRegistry()) {
  std::vector<StringRef> known = like.getAvailableDialects();
  for (Dialect *dialect : like.getLoadedDialects())
    if (!llvm::is_contained(known, dialect->getNamespace()))
      tolerant_.push_back(dialect->getNamespace().str());
}

std::shared_ptr<MLIRContext> WorkerContexts::take() {
  {
    std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto context = std::move(idle_.back());
      idle_.pop_back();
      return context;
    }
  }
  std::shared_ptr<MLIRContext> context = makeContext(registry_);
  loadTolerantDialects(*context, tolerant_);
  return context;
}

void WorkerContexts::giveBack(std::shared_ptr<MLIRContext> context) {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(context));
}

void WorkerContexts::forEach(size_t count, llvm::function_ref<void(size_t, const std::shared_ptr<MLIRContext> &)> job) {
  std::atomic<size_t> next = 0;
  auto work = [&] {
    if (next >= count)
      return;
    auto context = take();
    for (size_t index = next++; index < count; index = next++)
      job(index, context);
    giveBack(std::move(context));
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(count, processorCount()); ++i)
    threads.emplace_back([&] { runOnLargeStack(work); });
  runOnLargeStack(work);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace fuselage
