// A bug report has what somebody else needs to see the same.
#include "core/notes/BugReport.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

namespace fuselage {
namespace {

TEST(BugReport, HasTheOpWithWhatItReads) {
  Session session(allDialects());
  auto read = session.readText(R"(
#map = affine_map<(d0) -> (d0)>
#unused = affine_map<(d0) -> (0)>
func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %far = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %near = linalg.tanh ins(%far : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%near : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
)",
                               "model.mlir");
  ASSERT_TRUE(bool(read));
  mlir::ModuleOp module = *read->module;
  PrintedModule printed(module);
  OpId generic = -1, tanh = -1, id = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    generic = op->getName().getStringRef() == "linalg.generic" ? id : generic;
    tanh = op->getName().getStringRef() == "linalg.tanh" ? id : tanh;
    ++id;
  });
  BugReportParts parts{.module = module,
                       .printed = &printed,
                       .op = generic,
                       .producer = {},
                       .input = "model.mlir",
                       .step = "the input",
                       .pipeline = "",
                       .command = "fuselage graph model.mlir",
                       .reason = "It is `slow`.",
                       .version = "1.2.3"};
  std::string text = bugReport(parts);
  EXPECT_EQ(text.find("### `linalg.generic` in model.mlir, the input\n\nIt is `slow`.\n"), 0u) << text;
  for (const char *there : {"%near = linalg.tanh", "linalg.yield", "func.func @f", "#map = affine_map<(d0) -> (d0)>",
                            "```mlir", "fuselage graph model.mlir", "Fuselage 1.2.3, LLVM and MLIR 22"})
    EXPECT_NE(text.find(there), std::string::npos) << there << "\n" << text;
  for (const char *absent : {"linalg.exp", "return", "Pipeline"})
    EXPECT_EQ(text.find(absent), std::string::npos) << absent << "\n" << text;
  parts.producer = tanh;
  parts.pipeline = "cse";
  text = bugReport(parts);
  EXPECT_EQ(text.find("### `linalg.tanh` -> `linalg.generic` in"), 0u) << text;
  EXPECT_NE(text.find("linalg.exp"), std::string::npos);
  EXPECT_NE(text.find("Pipeline:\n\n```\ncse\n```"), std::string::npos) << text;
}

} // namespace
} // namespace fuselage
