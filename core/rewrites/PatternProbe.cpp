#include "core/rewrites/PatternProbe.h"
#include "core/rewrites/LinkInterposition.h"
#include "mlir/Pass/Pass.h"

namespace fuselage {

static thread_local PatternProbe *probeOfThread = nullptr;

namespace {
class PassNamer : public mlir::PassInstrumentation {
public:
  explicit PassNamer(std::string &pass) : pass_(pass) {}
  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    if (!pass->getArgument().empty()) // else it is an adaptor
      pass_ = pass->getArgument().str();
  }

private:
  std::string &pass_;
};
} // namespace

PatternProbe::PatternProbe(Look look) : look_(std::move(look)), outer_(probeOfThread) {
  linkInterposition();
  probeOfThread = this;
}

PatternProbe::~PatternProbe() { probeOfThread = outer_; }

PatternProbe *PatternProbe::current() { return probeOfThread; }

void PatternProbe::look(const mlir::FrozenRewritePatternSet &patterns, bool folds) {
  probeOfThread = nullptr;
  look_(pass_, patterns, folds);
  probeOfThread = this;
}

std::unique_ptr<mlir::PassInstrumentation> PatternProbe::tellPasses() { return std::make_unique<PassNamer>(pass_); }

} // namespace fuselage
