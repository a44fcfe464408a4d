// Every op of the tried dialects in a valid module, through some of the commands: which module and
// which commands is by the op's name. `valid-modules run` tries all.
#include "tests/fuzz/ValidModules.h"
#include "core/registration/Registration.h"
#include "mlir/IR/OperationSupport.h"
#include "tests/fuzz/CommandSweep.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <gtest/gtest.h>
#include <map>

namespace fuselage::fuzz {
namespace {

/// The modules of each op.
const std::map<std::string, std::vector<ValidModule>> &modulesByOp() {
  static const std::map<std::string, std::vector<ValidModule>> all = [] {
    mlir::MLIRContext context(allDialects(), mlir::MLIRContext::Threading::DISABLED);
    context.loadAllAvailableDialects();
    std::map<std::string, std::vector<ValidModule>> byOp;
    for (ValidModule &module : validModules(context))
      byOp[llvm::StringRef(module.name).split(' ').first.str()].push_back(std::move(module));
    return byOp;
  }();
  return all;
}

/// Whether an op of that name is in some module, be it around another one.
bool isSomewhere(llvm::StringRef op) {
  for (const auto &[name, modules] : modulesByOp())
    for (const ValidModule &module : modules) {
      llvm::StringRef rest = llvm::StringRef(module.text).split(op).second;
      if (!rest.empty() && !llvm::isAlnum(rest.front()) && rest.front() != '_' && rest.front() != '.')
        return true;
    }
  return false;
}

TEST(ValidModules, NoOpIsForgotten) {
  mlir::MLIRContext context(allDialects(), mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned ops = 0;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations())
    if (llvm::is_contained(triedDialects(), op.getDialectNamespace())) {
      EXPECT_TRUE(isSomewhere(op.getStringRef())) << op.getStringRef().str();
      ++ops;
    }
  EXPECT_GT(ops, 200u);
}

class Sweep : public testing::TestWithParam<llvm::StringLiteral> {};

TEST_P(Sweep, EveryOpThroughSomeCommands) {
  llvm::ArrayRef<std::vector<std::string>> commands = sweptCommands();
  unsigned ops = 0;
  for (const auto &[op, modules] : modulesByOp()) {
    if (llvm::StringRef(op).split('.').first != GetParam())
      continue;
    ++ops;
    uint64_t number = llvm::xxh3_64bits(llvm::StringRef(op));
    const ValidModule &module = modules[number % modules.size()];
    for (unsigned i = 0; i < 3; ++i) {
      const std::vector<std::string> &command = commands[(number / 7 + 5 * i) % commands.size()];
      auto finding = findInSweep(command, module.text);
      EXPECT_EQ(finding, std::nullopt) << module.name << "\n" << module.text << "\n" << finding.value_or("");
    }
  }
  EXPECT_GT(ops, 0u) << "no module has an op of this dialect";
}

INSTANTIATE_TEST_SUITE_P(, Sweep, testing::ValuesIn(triedDialects()),
                         [](const auto &info) { return info.param.str(); });

} // namespace
} // namespace fuselage::fuzz
