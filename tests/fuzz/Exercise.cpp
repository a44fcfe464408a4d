#include "tests/fuzz/Exercise.h"
#include "core/dialects/decoders/Decoders.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/Session.h"
#include "core/ir/module/PrintedModule.h"
#include "core/registration/Registration.h"
#include "core/support/LargeStack.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::fuzz {

/// What every reader of a module does; results are not looked at.
static void useModule(mlir::ModuleOp module) {
  PrintedModule printed(module);
  (void)buildGraph(module, printed);
  module->walk([](mlir::Operation *op) { (void)decode(op); });
}

bool exercise(llvm::StringRef bytes) {
  constexpr unsigned callsPerSession = 64;
  static std::unique_ptr<Session> session;
  static unsigned calls = 0;
  if (!session || ++calls % callsPerSession == 0)
    session = std::make_unique<Session>(allDialects());
  auto read = session->readText(bytes, "fuzz.mlir");
  if (!read) {
    llvm::consumeError(read.takeError());
    return false;
  }
  runOnLargeStack([&] {
    useModule(*read->module);
    read->module = nullptr;
  });
  return true;
}

std::string toBytecode(llvm::StringRef text) {
  Session session(allDialects());
  auto read = session.readText(text, "fuzz.mlir");
  if (!read) {
    llvm::consumeError(read.takeError());
    return "";
  }
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  return mlir::succeeded(mlir::writeBytecodeToFile(*read->module, os)) ? bytes : "";
}

} // namespace fuselage::fuzz
