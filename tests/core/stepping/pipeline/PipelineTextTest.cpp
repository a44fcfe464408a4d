#include "core/stepping/pipeline/PipelineText.h"
#include "core/ir/module/PassCatalog.h"
#include "core/registration/Registration.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include <algorithm>

namespace fuselage::test {
namespace {

std::vector<std::string> flatten(llvm::StringRef text) {
  Session session(allDialects());
  auto units = parsePipeline(text, session.context());
  if (!units) {
    ADD_FAILURE() << llvm::toString(units.takeError());
    return {};
  }
  std::vector<std::string> pipelines;
  for (const PassUnit &unit : *units)
    pipelines.push_back(unit.pipeline);
  return pipelines;
}

std::string failure(llvm::StringRef text) {
  Session session(allDialects());
  auto units = parsePipeline(text, session.context());
  EXPECT_FALSE(bool(units)) << text.str();
  if (units)
    return "";
  Failure failure = takeFailure(units.takeError());
  EXPECT_EQ(failure.diagnostics.size(), 1u);
  return failure.message + "\n" + formatWithCaret(failure.diagnostics[0]);
}

using Pipelines = std::vector<std::string>;

TEST(PipelineText, TakesNestedManagersApart) {
  EXPECT_EQ(flatten("builtin.module(func.func(canonicalize,cse),symbol-dce)"),
            (Pipelines{"builtin.module(func.func(canonicalize))", "builtin.module(func.func(cse))",
                       "builtin.module(symbol-dce)"}));
}

TEST(PipelineText, AcceptsBarePassesAnchorsAndRows) {
  EXPECT_EQ(flatten("canonicalize, cse"), (Pipelines{"builtin.module(canonicalize)", "builtin.module(cse)"}));
  EXPECT_EQ(flatten("func.func(cse)"), (Pipelines{"builtin.module(func.func(cse))"}));
  EXPECT_EQ(flatten("builtin.module(cse),builtin.module(func.func(cse))"),
            (Pipelines{"builtin.module(cse)", "builtin.module(func.func(cse))"}));
  EXPECT_EQ(flatten("any(cse)"), (Pipelines{"builtin.module(cse)"}));
  EXPECT_EQ(flatten(" builtin.module (\n  cse ,\n\tcanonicalize\n) "),
            (Pipelines{"builtin.module(cse)", "builtin.module(canonicalize)"}));
  EXPECT_EQ(flatten(""), Pipelines{});
  EXPECT_EQ(flatten("builtin.module()"), Pipelines{});
}

TEST(PipelineText, KeepsOptionsAsWritten) {
  EXPECT_EQ(flatten("canonicalize{max-iterations=3 top-down=false}"),
            (Pipelines{"builtin.module(canonicalize{max-iterations=3 top-down=false})"}));
}

TEST(PipelineText, ExpandsRegisteredPipelines) {
  Pipelines pipelines = flatten("builtin.module(gpu-lower-to-nvvm-pipeline)");
  EXPECT_GT(pipelines.size(), 3u);
}

TEST(PipelineText, NestsPassesWhereTheyCanRun) {
  EXPECT_EQ(flatten("promote-buffers-to-stack"), (Pipelines{"builtin.module(func.func(promote-buffers-to-stack))"}));
  EXPECT_EQ(flatten("builtin.module(convert-gpu-to-nvvm)"),
            (Pipelines{"builtin.module(gpu.module(convert-gpu-to-nvvm))"}));
}

TEST(PipelineText, SaysWhereAPassCannotRun) {
  std::string message = failure("builtin.module(func.func(gpu-kernel-outlining))");
  EXPECT_NE(message.find("'gpu-kernel-outlining' runs on 'builtin.module'"), std::string::npos) << message;
  EXPECT_NE(message.find("cannot be nested in 'func.func'"), std::string::npos) << message;
}

TEST(PipelineText, NamesUnknownPassesAndTheNearest) {
  std::string message = failure("builtin.module(canonicalise,cse)");
  EXPECT_NE(message.find("no pass is called 'canonicalise'; did you mean 'canonicalize'"), std::string::npos)
      << message;
  EXPECT_NE(message.find("\nbuiltin.module(canonicalise,cse)\n               ^"), std::string::npos) << message;
  EXPECT_EQ(failure("zzzzzzzzzzzzzzzz").find("did you mean"), std::string::npos);
}

TEST(PipelineText, NamesUnknownOptionsAndTheNearest) {
  std::string message = failure("canonicalize{max-iteration=3}");
  EXPECT_NE(message.find("'canonicalize' has no option 'max-iteration'"), std::string::npos);
  EXPECT_NE(message.find("'max-iterations'"), std::string::npos) << message;
  EXPECT_NE(failure("cse{a=b}").find("'cse' has no option 'a'; it has none"), std::string::npos);
  EXPECT_NE(failure("canonicalize{max-iterations=many}").find("canonicalize"), std::string::npos);
}

TEST(PipelineText, PointsAtBrackets) {
  EXPECT_NE(failure("builtin.module(cse").find("never closed"), std::string::npos);
  EXPECT_NE(failure("builtin.module(cse").find("\nbuiltin.module(cse\n              ^"), std::string::npos);
  EXPECT_NE(failure("cse)").find("\ncse)\n   ^"), std::string::npos);
  EXPECT_NE(failure("canonicalize{top-down=1").find("'{' is never closed"), std::string::npos);
  EXPECT_NE(failure("cse,,cse").find("expected the name of a pass"), std::string::npos);
  EXPECT_NE(failure("cse canonicalize").find("expected ','"), std::string::npos);
  EXPECT_NE(failure("cse(canonicalize)").find("'cse' is a pass"), std::string::npos);
  EXPECT_NE(failure("fun.func(cse)").find("no op is called 'fun.func'"), std::string::npos);
  EXPECT_NE(failure(std::string(500, '(')).find("expected the name"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 5000; ++i)
    deep += "builtin.module(";
  EXPECT_NE(failure(deep).find("nested too deeply"), std::string::npos);
}

TEST(PassCatalog, ListsPassesWithOptions) {
  std::vector<CatalogEntry> entries = listRegisteredPasses();
  ASSERT_GT(entries.size(), 100u);
  EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(),
                             [](const auto &a, const auto &b) { return a.argument < b.argument; }));
  auto canonicalize =
      std::find_if(entries.begin(), entries.end(), [](const auto &e) { return e.argument == "canonicalize"; });
  ASSERT_NE(canonicalize, entries.end());
  EXPECT_FALSE(canonicalize->description.empty());
  EXPECT_NE(std::find(canonicalize->options.begin(), canonicalize->options.end(), "top-down"),
            canonicalize->options.end());
}

TEST(PassCatalog, RanksNearestNames) {
  EXPECT_EQ(nearestNames("cze", {"cse", "canonicalize", "sccp"}), std::vector<std::string>{"cse"});
  EXPECT_TRUE(nearestNames("qqqqqq", {"cse", "canonicalize"}).empty());
  EXPECT_EQ(nearestNames("bufferize", {"one-shot-bufferize", "cse"}), std::vector<std::string>{"one-shot-bufferize"});
}

} // namespace
} // namespace fuselage::test
