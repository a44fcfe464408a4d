#include "core/ir/module/UpgradePortable.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/dialects/vhlo/PortableDialects.h"
#include "core/dialects/vhlo/PortableOps.h"
#include "core/dialects/vhlo/UpgradeVhlo.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/MakeContext.h"
#include "core/ir/module/TextParser.h"
#include "core/ir/source/BytecodeFile.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/VersionTuple.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

static constexpr StringRef kPortable[] = {"vhlo", "stablehlo", "chlo", "sdy"};

bool isPortable(StringRef bytecode) {
  // What the MLIR of this program wrote has ops without a definition, whose properties are spelled as attributes. The
  // tools of StableHLO have an MLIR between releases.
  if (bytecodeProducer(bytecode) == "MLIR" LLVM_VERSION_STRING)
    return false;
  return llvm::any_of(bytecodeDialects(bytecode),
                      [](const std::string &dialect) { return llvm::is_contained(kPortable, dialect); });
}

/// Whether the producer calls itself "StableHLO_v1.99.0", a version that is not known here.
static bool isNewer(StringRef producer) {
  llvm::VersionTuple version, newest;
  return producer.consume_front("StableHLO_v") && !version.tryParse(producer) && !newest.tryParse(kNewestVhlo) &&
         version > newest;
}

/// Why nothing was read: MLIR's first message, with who wrote the file and what to do.
static llvm::Error refuse(StringRef bytecode, ArrayRef<fuselage::Diagnostic> said) {
  std::string producer = bytecodeProducer(bytecode), message;
  // Also said where an attribute of an unknown encoding ends, which is no mistake.
  auto isEnd = [](StringRef text) { return text.contains("at the end of the bytecode"); };
  for (const fuselage::Diagnostic &diagnostic : llvm::reverse(said))
    if (diagnostic.severity == fuselage::Diagnostic::Severity::Error && (message.empty() || !isEnd(diagnostic.message)))
      message = diagnostic.message;
  if (message.empty())
    message = "MLIR's reader does not say why";
  std::string who = producer.empty() ? "an unknown program" : "'" + producer + "'";
  std::string remedy = "write it anew, or open the text of the module";
  if (isNewer(producer))
    remedy = "Fuselage knows VHLO up to version " + kNewestVhlo.str() +
             ": let 'stablehlo-translate --serialize --target=" + kNewestVhlo.str() +
             "' write it, or open the text of the module";
  return fail("bytecode that " + who + " wrote cannot be read: " + message + "; " + remedy +
              " (in JAX, exported.mlir_module())");
}

llvm::Expected<std::string> upgradePortable(MLIRContext &context, StringRef bytecode, StringRef name) {
  std::unique_ptr<MLIRContext> own = makeContext(context.getDialectRegistry());
  loadPortableDialects(*own);
  loadTolerantDialects(*own, {"flow", "undefined"});
  loadTolerantDialects(*own, bytecodeDialects(bytecode));
  DiagnosticCapture capture(*own);
  OwningOpRef<ModuleOp> module = parseBuffer(*own, bytecode, name, /*verify=*/false);
  if (!module || failed(upgradeVhlo(*module)))
    return refuse(bytecode, capture.take());
  std::string upgraded;
  llvm::raw_string_ostream os(upgraded);
  if (failed(writeBytecodeToFile(*module, os)))
    return refuse(bytecode, capture.take());
  return upgraded;
}

} // namespace fuselage
