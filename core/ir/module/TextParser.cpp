#include "core/ir/module/TextParser.h"
#include "core/dialects/tolerant/BlobScope.h"
#include "core/ir/module/VerifySafely.h"
#include "core/support/Expendable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

static OwningOpRef<ModuleOp> parse(MLIRContext &context, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  FallbackAsmResourceMap otherResources; // such as mlir_reproducer: allowed, not kept
  ParserConfig config(&context, /*verifyAfterParse=*/false, &otherResources);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, config);
  settleResources(context);
  return module;
}

OwningOpRef<ModuleOp> parseBuffer(MLIRContext &context, StringRef source, StringRef bufferName, bool verify) {
  OwningOpRef<ModuleOp> module = parse(context, llvm::MemoryBuffer::getMemBufferCopy(source, bufferName));
  auto isFine = [&] { return succeeded(isExpendable() ? verifyQuickly(*module) : verifySafely(*module)); };
  return module && verify && !isFine() ? nullptr : std::move(module);
}

OwningOpRef<ModuleOp> parseInPlace(MLIRContext &context, const std::string &source, StringRef bufferName) {
  return parse(context, llvm::MemoryBuffer::getMemBuffer(source, bufferName));
}

OwningOpRef<ModuleOp> parseTextWithPlaces(MLIRContext &context, StringRef source, StringRef bufferName,
                                          OpPlaces &places) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(source, bufferName), llvm::SMLoc());
  const char *begin = sources.getMemoryBuffer(1)->getBufferStart();
  FallbackAsmResourceMap otherResources;
  ParserConfig config(&context, /*verifyAfterParse=*/false, &otherResources);
  OwningOpRef<ModuleOp> module(ModuleOp::create(FileLineColLoc::get(&context, bufferName, /*line=*/1, /*column=*/1)));
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, module->getBody(), config, &state)))
    return nullptr;
  settleResources(context);
  for (const AsmParserState::OperationDefinition &definition : state.getOpDefs())
    places[definition.op] = definition.loc.Start.getPointer() - begin;
  // A single module is the module, as parseSourceFile has it.
  Block *body = module->getBody();
  if (llvm::hasSingleElement(*body))
    if (auto only = dyn_cast<ModuleOp>(body->front())) {
      only->remove();
      return only;
    }
  return module;
}

} // namespace fuselage
