#include "core/engine/TestPasses.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace fuselage {
namespace {

/// A pass on any op that calls `Misdeed`.
template <typename Misdeed> struct TestPass : mlir::PassWrapper<TestPass<Misdeed>, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPass)
  llvm::StringRef getArgument() const override { return Misdeed::argument; }
  llvm::StringRef getDescription() const override { return "misbehaves, for tests"; }
  void runOnOperation() override { Misdeed()(); }
};

struct Crash {
  static constexpr llvm::StringLiteral argument = "fuselage-test-crash";
  void operator()() const { raise(SIGSEGV); }
};
struct Hang {
  static constexpr llvm::StringLiteral argument = "fuselage-test-hang";
  void operator()() const {
    while (true)
      pause();
  }
};
struct Print {
  static constexpr llvm::StringLiteral argument = "fuselage-test-print";
  void operator()() const {
    std::printf("printed by a pass\n");
    std::fflush(stdout);
  }
};

} // namespace

void registerTestPasses() {
  if (!std::getenv("FUSELAGE_TEST_PASSES"))
    return;
  mlir::PassRegistration<TestPass<Crash>>();
  mlir::PassRegistration<TestPass<Hang>>();
  mlir::PassRegistration<TestPass<Print>>();
}

} // namespace fuselage
