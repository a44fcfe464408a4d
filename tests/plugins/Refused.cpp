// Plugins that must not be loaded, a macro for each.
#include "mlir/IR/Dialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include <csignal>

#ifdef OF_ANOTHER_API
static constexpr uint32_t apiVersion = MLIR_PLUGIN_API_VERSION + 1;
#else
static constexpr uint32_t apiVersion = MLIR_PLUGIN_API_VERSION;
#endif

#ifdef OF_ANOTHER_LLVM
extern "C" int ofAnotherLlvm();
extern "C" int callsAnotherLlvm() { return ofAnotherLlvm(); }
#endif

namespace {
/// A pass with the name of one of MLIR's.
struct TakenName : mlir::PassWrapper<TakenName, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakenName)
  llvm::StringRef getArgument() const override { return "canonicalize"; }
  void runOnOperation() override {}
};

/// A dialect with the name of one of MLIR's.
struct TakenDialect : mlir::Dialect {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakenDialect)
  explicit TakenDialect(mlir::MLIRContext *context)
      : mlir::Dialect(getDialectNamespace(), context, mlir::TypeID::get<TakenDialect>()) {}
  static llvm::StringRef getDialectNamespace() { return "linalg"; }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {apiVersion, "Refused", "v0", [] {
#ifdef CRASHES
            std::raise(SIGSEGV);
#endif
            mlir::PassRegistration<TakenName>();
          }};
}

#ifndef CRASHES // passes alone, so that nothing else is wrong with it
extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {apiVersion, "Refused", "v0", [](mlir::DialectRegistry *registry) { registry->insert<TakenDialect>(); }};
}
#endif
