// Every form has a page in Help, whose examples are what it says.
#include "core/schedules/report/FormPages.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "tests/core/analysis/fusion/ReasonPage.h"
#include "gtest/gtest.h"

namespace fuselage::test {
namespace {

std::vector<std::string> formNames() {
  std::vector<std::string> names;
  for (const NormalForm &form : normalForms())
    names.push_back(form.name);
  return names;
}

struct FormPage : testing::TestWithParam<std::string> {
  const NormalForm &form = *findForm(GetParam());
  std::string page = formPage(form);
  Session session{allDialects()};

  mlir::OwningOpRef<mlir::ModuleOp> example(const std::string &heading) {
    std::string text = between(between(page, "## " + heading + "\n", "\n## "), "```mlir\n", "```");
    auto module = session.parse(text, "page.mlir");
    EXPECT_TRUE(static_cast<bool>(module)) << (module ? "" : takeFailure(module.takeError()).message) << text;
    return module ? std::move(*module) : mlir::OwningOpRef<mlir::ModuleOp>();
  }
  std::vector<std::string> breachesIn(mlir::ModuleOp module) {
    std::vector<std::string> reasons;
    module.walk([&](mlir::FunctionOpInterface function) {
      for (const FormBreach &breach : checkForm(form, function))
        reasons.push_back(breach.why);
    });
    return reasons;
  }
};

TEST_P(FormPage, SaysWhatTheTableSays) {
  EXPECT_TRUE(llvm::StringRef(page).starts_with("# " + form.name + "\n\n" + form.summary + "\n"));
  for (const NormalForm *implied : form.implies)
    EXPECT_NE(between(page, "## Implies\n", "\n## ").find("- `" + implied->name + "`"), std::string::npos);
}

TEST_P(FormPage, TheFirstExampleIsInIt) {
  auto module = example("In it");
  ASSERT_TRUE(module);
  std::vector<std::string> breaches = breachesIn(*module);
  EXPECT_TRUE(breaches.empty()) << breaches.front();
}

TEST_P(FormPage, TheSecondIsNotAndIsBroughtThere) {
  if (form.name == "AnyForm")
    GTEST_SKIP() << "everything is in it";
  auto module = example("Not in it");
  ASSERT_TRUE(module);
  std::string why = between(page, "What breaks it: `", "`");
  ASSERT_FALSE(why.empty());
  std::vector<std::string> breaches = breachesIn(*module);
  EXPECT_TRUE(llvm::any_of(breaches, [&](llvm::StringRef breach) { return breach.contains(why); }))
      << why << "\n"
      << (breaches.empty() ? "nothing breaks it" : breaches.front());
  if (llvm::Error error = normalizeTo(form, *module))
    FAIL() << takeFailure(std::move(error)).message;
}

INSTANTIATE_TEST_SUITE_P(All, FormPage, testing::ValuesIn(formNames()), [](const auto &info) { return info.param; });

TEST(FormHelps, ImpliedFormsComeFirst) {
  std::vector<std::string> seen;
  for (const message::FormHelp<> &help : formHelps().forms) {
    for (const std::string &implied : help.implies)
      EXPECT_TRUE(llvm::is_contained(seen, implied)) << help.form;
    seen.push_back(help.form);
  }
  EXPECT_EQ(seen, formNames());
}

} // namespace
} // namespace fuselage::test
