#include "core/stepping/report/Report.h"
#include "core/registration/Registration.h"
#include "tests/core/stepping/SteppingTestSupport.h"
#include "llvm/Support/JSON.h"

namespace fuselage::test {
namespace {

/// The JSON inside the page.
llvm::json::Value pageData(llvm::StringRef page) {
  llvm::StringRef data = page.split("<script type=\"application/json\" id=\"data\">").second.split("</script>").first;
  auto json = llvm::json::parse(data);
  if (json)
    return *json;
  ADD_FAILURE() << llvm::toString(json.takeError());
  return nullptr;
}

TEST(Report, TextIsATable) {
  Input input;
  std::string text = renderReport(input.recordPipeline("canonicalize,cse,cse"), "in.mlir", ReportFormat::Text);
  EXPECT_NE(text.find("in.mlir: pipeline canonicalize,cse,cse"), std::string::npos) << text;
  EXPECT_NE(text.find("3 steps, 2 changed the IR"), std::string::npos) << text;
  EXPECT_NE(text.find("unchanged"), std::string::npos) << text;
  EXPECT_NE(text.find("-1 arith.addf"), std::string::npos) << text;
}

TEST(Report, JsonHasAVersion) {
  Input input;
  auto json = llvm::json::parse(renderReport(input.recordPipeline("canonicalize,cse"), "in.mlir", ReportFormat::Json));
  ASSERT_TRUE(bool(json));
  const llvm::json::Object &report = *json->getAsObject();
  EXPECT_EQ(report.getInteger("version"), 1);
  ASSERT_EQ(report.getArray("steps")->size(), 2u);
  EXPECT_EQ((*report.getArray("steps"))[1].getAsObject()->getString("pass"), "cse");
}

TEST(Report, HtmlStandsAlone) {
  Input input;
  std::string page = renderReport(input.recordPipeline("canonicalize,cse"), "in.mlir", ReportFormat::Html);
  // The only addresses are names of XML languages inside pictures.
  for (llvm::StringRef loads : {"<link", "src=\"http", "@import", "url(", "fetch(", "<script src"})
    EXPECT_EQ(page.find(loads), std::string::npos) << loads.str();
  llvm::json::Value data = pageData(page);
  const llvm::json::Object &object = *data.getAsObject();
  EXPECT_EQ(object.getArray("steps")->size(), 2u);
  EXPECT_EQ(object.getArray("snapshots")->size(), 3u);
}

TEST(Report, HtmlEscapesWhatTheInputSays) {
  Input input(R"mlir(
func.func @f() attributes {evil = "</script><script>alert(1)</script><!-- &amp;"} {
  return
}
)mlir");
  std::string page = renderReport(input.recordPipeline("canonicalize"), "</script><b>.mlir", ReportFormat::Html);
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("<b>.mlir"), std::string::npos);
  pageData(page);
}

TEST(Report, HtmlIsBoundedForHugeModules) {
  std::string source;
  for (int f = 0; f < 300; ++f) {
    source += "func.func @f" + std::to_string(f) + "(%a: f32) -> f32 {\n";
    for (int i = 0; i < 400; ++i)
      source += "  %x" + std::to_string(i) + " = arith.addf " + (i ? "%x" + std::to_string(i - 1) : std::string("%a")) +
                ", %a {some = \"attribute that takes room in the text\"} : f32\n";
    source += "  return %x399 : f32\n}\n";
  }
  source += smallModule;
  Input input(source);
  Recording recording = input.recordPipeline("cse");
  std::string page = renderReport(recording, "huge.mlir", ReportFormat::Html);
  EXPECT_LT(page.size(), 2u << 20);
  pageData(page);
}

TEST(Report, PrintsTheIrAtAStep) {
  Input input;
  Recording recording = input.recordPipeline("canonicalize,cse");
  auto before = stepText(recording, 0, StepSide::Before);
  auto after = stepText(recording, 0, StepSide::After);
  ASSERT_TRUE(bool(before) && bool(after));
  EXPECT_NE(before->find("arith.addf %cst, %cst_0"), std::string::npos) << *before;
  EXPECT_EQ(after->find("arith.addf %cst"), std::string::npos) << *after;
  auto none = stepText(recording, 2, StepSide::After);
  ASSERT_FALSE(bool(none));
  EXPECT_NE(takeFailure(none.takeError()).message.find("0 to 1"), std::string::npos);
}

TEST(Report, ReproducersCarryIrAndPipeline) {
  Input input;
  Recording recording = input.recordPipeline("canonicalize,builtin.module(func.func(cse))");
  auto text = stepReproducer(recording, 1);
  ASSERT_TRUE(bool(text));
  EXPECT_NE(text->find("// RUN: fuselage-opt --run-reproducer %s"), std::string::npos);
  EXPECT_NE(text->find("pipeline: \"builtin.module(func.func(cse))\""), std::string::npos) << *text;
  Session session(allDialects());
  auto module = session.parse(*text, "reproducer.mlir");
  EXPECT_TRUE(bool(module)) << llvm::toString(module.takeError());
}

TEST(Report, ReproducersOfAStepThatNeverReturned) {
  Input input;
  Recording recording = input.recordPipeline("canonicalize");
  for (auto bad : {0, 1}) {
    auto text = bad ? stepReproducer(recording, 2, "builtin.module(cse)") : stepReproducer(recording, 1);
    EXPECT_FALSE(bool(text));
    llvm::consumeError(text.takeError());
  }
  auto text = stepReproducer(recording, 1, "builtin.module(cse)");
  ASSERT_TRUE(bool(text));
  EXPECT_NE(text->find("pipeline: \"builtin.module(cse)\""), std::string::npos) << *text;
}

TEST(Report, FormatsHaveNames) {
  EXPECT_TRUE(bool(parseReportFormat("html")));
  auto bad = parseReportFormat("pdf");
  ASSERT_FALSE(bool(bad));
  EXPECT_NE(takeFailure(bad.takeError()).message.find("text, json and html"), std::string::npos);
}

} // namespace
} // namespace fuselage::test
