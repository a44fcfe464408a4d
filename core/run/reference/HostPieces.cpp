#include "core/run/reference/HostPieces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

std::string functionKey(FunctionOpInterface function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << function.getFunctionType() << '\n';
  AsmState state(function, OpPrintingFlags().printGenericOpForm());
  for (Block &block : function.getFunctionBody()) {
    block.printAsOperand(os, state);
    for (Operation &op : block) {
      op.print(os, state);
      os << '\n';
    }
  }
  return text;
}

HostPiece *HostPieces::add(ModuleOp module) {
  ++total_;
  std::string key;
  for (auto function : module.getOps<func::FuncOp>()) // what @run calls goes by its name, too
    key += function.getName().str() + functionKey(function);
  for (Operation &op : *module.getBody())
    if (!llvm::isa<func::FuncOp>(op)) // globals and their like
      key += debugString(op);
  HostPiece *&known = pieceOf_[key];
  if (!known)
    known = &pieces_.emplace_back(
        HostPiece{.bytes = packModule(module), .type = module.lookupSymbol<func::FuncOp>("run").getFunctionType()});
  return known;
}

void HostPieces::compile(llvm::function_ref<void(unsigned, unsigned)> progress) {
  size_t first = compiled_, count = pieces_.size() - first;
  compiled_ = pieces_.size();
  std::atomic<unsigned> done = 0;
  contexts_.forEach(count, [&](size_t index, const std::shared_ptr<MLIRContext> &context) {
    HostPiece &piece = pieces_[first + index];
    const std::atomic<bool> *cancelled = options_.cancelled;
    bool isCancelled = cancelled && cancelled->load();
    OwningOpRef<ModuleOp> module = isCancelled ? nullptr : unpackModule(piece.bytes, *context);
    piece.bytes.clear();
    llvm::Expected<std::unique_ptr<HostProgram>> program = isCancelled ? fail("cancelled")
                                                           : !module
                                                               ? fail("a piece of the program cannot be read again")
                                                               : HostProgram::compile(*module, options_);
    llvm::Error error = program ? (*program)->prepare("run") : program.takeError();
    if (error) {
      piece.failure = takeFailure(std::move(error));
    } else {
      piece.program = std::move(*program);
      piece.program->adopt(context, "run", piece.type);
    }
    if (progress)
      progress(++done, count);
  });
}

} // namespace fuselage
