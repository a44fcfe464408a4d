#include "core/executable/HostSymbols.h"
#include "core/runtime/host/HostLinker.h"
#include "core/support/ResultErrors.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

namespace orc = llvm::orc;

namespace fuselage {

/// A linker that finds nothing by itself.
static llvm::Expected<std::unique_ptr<orc::LLJIT>> makeLinker() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    return true;
  }();
  (void)initialized;
  return orc::LLJITBuilder()
      .setObjectLinkingLayerCreator([](orc::ExecutionSession &session) {
        return std::make_unique<orc::RTDyldObjectLinkingLayer>(
            session, [](const llvm::MemoryBuffer &) { return std::make_unique<llvm::SectionMemoryManager>(); });
      })
      .setProcessSymbolsJITDylibSetup([](orc::LLJIT &) -> llvm::Expected<orc::JITDylibSP> { return nullptr; })
      .setLinkProcessSymbolsByDefault(false)
      .setPlatformSetUp(orc::setUpInactivePlatform)
      .create();
}

/// Makes the functions of ours and the library's known to the code.
static llvm::Error addSymbols(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  for (const auto &[name, function] : hostRuntimeFunctions())
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  orc::JITDylib &library = jit.getMainJITDylib();
  if (llvm::Error error = library.define(orc::absoluteSymbols(std::move(symbols))))
    return error;
  char prefix = jit.getDataLayout().getGlobalPrefix();
  auto process =
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix, [prefix](const orc::SymbolStringPtr &symbol) {
        llvm::StringRef name = *symbol;
        return (!prefix || name.consume_front(llvm::StringRef(&prefix, 1))) && isLibraryFunction(name);
      });
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  return llvm::Error::success();
}

namespace {

class OrcLinker : public HostLinker {
public:
  explicit OrcLinker(std::unique_ptr<orc::LLJIT> jit) : jit_(std::move(jit)) {}
  Result<void *> lookUp(const std::string &symbol) override {
    auto address = jit_->lookup(symbol);
    if (!address)
      return failWith(takeFailure(address.takeError()).message);
    return address->toPtr<void *>();
  }

private:
  std::unique_ptr<orc::LLJIT> jit_;
};

} // namespace

/// Without the diagnostics, which linkers do not give.
static Status statusOf(llvm::Error error) { return failWith(takeFailure(std::move(error)).message); }

Result<std::unique_ptr<HostLinker>> linkHostObject(std::string_view object) {
  auto linker = makeLinker();
  if (!linker)
    return statusOf(linker.takeError());
  if (llvm::Error error = addSymbols(**linker))
    return statusOf(std::move(error));
  if (llvm::Error error = (*linker)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object)))
    return statusOf(std::move(error));
  return std::unique_ptr<HostLinker>(std::make_unique<OrcLinker>(std::move(*linker)));
}

} // namespace fuselage
