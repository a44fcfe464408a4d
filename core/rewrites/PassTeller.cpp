// What tells a watch which pass runs.
#include "core/rewrites/RewriteWatch.h"
#include "mlir/Pass/Pass.h"

namespace fuselage {

namespace {
class PassTeller : public mlir::PassInstrumentation {
public:
  explicit PassTeller(RewriteWatch &watch) : watch_(watch) {}
  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!isAdaptor(*pass))
      watch_.beginPass(nameOfPass(*pass), op);
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    if (!isAdaptor(*pass))
      watch_.endPass();
  }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override { runAfterPass(pass, op); }

private:
  static bool isAdaptor(const mlir::Pass &pass) { return pass.getName().contains("OpToOpPassAdaptor"); }
  static llvm::StringRef nameOfPass(const mlir::Pass &pass) {
    return pass.getArgument().empty() ? pass.getName() : pass.getArgument();
  }
  RewriteWatch &watch_;
};
} // namespace

std::unique_ptr<mlir::PassInstrumentation> tellPasses(RewriteWatch &watch) {
  return std::make_unique<PassTeller>(watch);
}

} // namespace fuselage
