// Verdicts on whole modules.
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/fusion/FusionReport.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/transforms/dispatch/DispatchPlanner.h"
#include "tests/support/LinalgChain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <set>

using namespace fuselage;
using namespace mlir;

namespace {

class FusionVerdicts : public testing::Test {
protected:
  void openSample(llvm::StringRef name) {
    std::string path = (FUSELAGE_SOURCE_DIR "/samples/" + name).str();
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(static_cast<bool>(buffer)) << path;
    parse((*buffer)->getBuffer());
  }

  void parse(llvm::StringRef text) {
    source = text.str();
    auto parsed = session.parse(source, "test");
    ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
    module = std::move(*parsed);
  }

  FusionReport explain(llvm::StringRef text) {
    FusionPolicy policy = llvm::cantFail(parseFusionPolicy(text));
    return reportFusion(*module, judgeFusion(*module, policy), policy, kDefaultGbps);
  }

  /// The edge from the op on the line that starts with `from =` to the one on that of `to =`.
  const FusionEdgeReport *edge(const FusionReport &report, const std::string &from, const std::string &to) {
    for (const FusionEdgeReport &edge : report.edges)
      if (llvm::StringRef(edge.fromLoc).contains(":" + lineOf(from) + ":") &&
          llvm::StringRef(edge.toLoc).contains(":" + lineOf(to) + ":"))
        return &edge;
    ADD_FAILURE() << "no edge from " << from << " to " << to;
    return nullptr;
  }

  void expectReason(const FusionReport &report, const std::string &from, const std::string &to,
                    const std::string &code) {
    const FusionEdgeReport *found = edge(report, from, to);
    if (!found)
      return;
    ASSERT_FALSE(found->reasons.empty()) << from << " -> " << to << " is " << verdictName(found->verdict).str();
    const FusionReasonReport &reason = found->reasons.front();
    EXPECT_EQ(reason.kind.empty() ? reason.code : reason.kind, code) << from << " -> " << to;
  }

  void expectVerdict(const FusionReport &report, const std::string &from, const std::string &to, Verdict verdict) {
    if (const FusionEdgeReport *found = edge(report, from, to)) {
      EXPECT_EQ(found->verdict, verdict) << from << " -> " << to;
    }
  }

  void run(llvm::StringRef pipeline) {
    llvm::Error error = runPipeline(*module, "builtin.module(" + pipeline.str() + ")");
    ASSERT_FALSE(error) << llvm::toString(std::move(error));
  }

  unsigned countRegions() {
    unsigned count = 0;
    module->walk([&](Operation *op) { count += op->getName().getStringRef() == "flow.dispatch.region"; });
    return count;
  }

  std::string lineOf(const std::string &name) {
    unsigned number = 1;
    for (llvm::StringRef line : llvm::split(source, '\n')) {
      if (line.ltrim().starts_with("%" + name + " = "))
        return std::to_string(number);
      ++number;
    }
    return "?";
  }

  Session session{allDialects()};
  std::string source;
  OwningOpRef<ModuleOp> module;
};

/// Whatever the policy: a reason where ops are apart, none where they are not.
void expectSound(const FusionReport &report) {
  EXPECT_FALSE(report.edges.empty());
  for (const FusionEdgeReport &edge : report.edges) {
    EXPECT_EQ(edge.verdict == Verdict::Separate, !edge.reasons.empty());
    std::set<std::string> codes;
    for (const FusionReasonReport &reason : edge.reasons)
      EXPECT_TRUE(codes.insert(reason.code).second) << reason.code << " twice";
    if (edge.verdict != Verdict::Separate) {
      EXPECT_EQ(edge.bytes, 0);
    }
  }
}

TEST_F(FusionVerdicts, BertUnderTheConservativePolicy) {
  openSample("bert_attention.mlir");
  FusionReport report = explain("conservative");
  expectSound(report);
  EXPECT_GE(report.dispatches.size(), 13u);
  for (const char *p : {"q", "k", "v"}) {
    std::string name = p;
    expectVerdict(report, name + "_wt", name + "_w", Verdict::FusedIntoOp);  // transpose into broadcast
    expectReason(report, name + "_w", name + "_mm", "CONSUMER_CONTRACTION"); // weight transpose
    expectReason(report, name + "_x", name + "_mm", "UNIT_DIM_BROADCAST");   // (0, d1, d2)
    expectReason(report, name + "_mm", name, "UNIT_DIM_BROADCAST");          // bias add
    expectReason(report, name, name + "_split", "RESHAPE_EXPAND");
    expectReason(report, name + "_split", name + "_heads", "RESHAPE_EXPAND");
    expectVerdict(report, name + "_mm_fill", name + "_mm", Verdict::Cloned);
  }
  expectVerdict(report, "k_heads", "k_t", Verdict::FusedIntoOp);
  expectReason(report, "k_t", "k_b", "UNIT_DIM_BROADCAST");
  expectReason(report, "q_b", "q3", "RESHAPE_COLLAPSE");
  expectReason(report, "max", "shifted", "UNIT_DIM_BROADCAST");
  expectReason(report, "scores", "max", "UNIT_DIM_BROADCAST");
  expectReason(report, "pv", "pv4", "RESHAPE_EXPAND"); // the output's transpose and reshape
  expectReason(report, "pv4", "context", "RESHAPE_EXPAND");
  expectReason(report, "context", "merged", "RESHAPE_COLLAPSE");
}

TEST_F(FusionVerdicts, BertUnderTheDefaultPolicy) {
  openSample("bert_attention.mlir");
  FusionReport report = explain("aggressive");
  expectSound(report);
  EXPECT_LT(report.dispatches.size(), explain("conservative").dispatches.size());
  EXPECT_LT(explain("conservative").dispatches.size(), explain("none").dispatches.size());
  expectVerdict(report, "q_mm", "q", Verdict::SameDispatch);
  expectVerdict(report, "q_x", "q_mm", Verdict::Cloned);
  expectVerdict(report, "shifted", "exp", Verdict::FusedIntoOp);
  expectReason(report, "scores", "max", "CONSUMER_HAS_REDUCTION");
  expectReason(report, "q_wt", "q_w", "CONSUMER_CONTRACTION");
  EXPECT_GT(report.totals.bytes, 0);
  // The weight's transposition is written and read again.
  EXPECT_EQ(edge(report, "q_wt", "q_w")->bytes, 2 * 768 * 768 * 4);
  EXPECT_NEAR(edge(report, "q_wt", "q_w")->microseconds, 2 * 768 * 768 * 4 / 500e3, 1e-6);
}

TEST_F(FusionVerdicts, SixteenSentencesShowTheBroadcasts) {
  openSample("bert_attention_16x512.mlir");
  FusionReport report = explain("conservative");
  expectSound(report);
  expectReason(report, "q_w", "q_mm", "BROADCAST_CONSUMER");
  expectVerdict(report, "q_mm", "q", Verdict::SameDispatch); // no unit dimension in the way
  expectReason(report, "penalty", "scores", "UNIT_DIM_BROADCAST");
  expectVerdict(report, "mask_float", "padding", Verdict::FusedIntoOp);
}

TEST_F(FusionVerdicts, NothingIsFusedUnderNone) {
  openSample("softmax.mlir");
  FusionReport report = explain("none");
  expectSound(report);
  EXPECT_EQ(size_t(report.totals.separate), report.edges.size());
}

/// The plan is what form-dispatches does, and formed dispatches are judged as they stand.
TEST_F(FusionVerdicts, AgreeWithFormedDispatches) {
  for (const char *sample : {"bert_attention.mlir", "softmax.mlir", "mlp_gelu.mlir", "conv_bias_relu.mlir",
                             "matmul_transpose_bias.mlir", "int4_dequant_matmul.mlir", "dynamic_matmul.mlir"})
    for (std::string policy : {"conservative", "aggressive", "none", "conservative{multi-use=true}"}) {
      openSample(sample);
      FusionReport planned = explain(policy);
      run("func.func(fuselage-form-dispatches{policy=" + policy + "})");
      FusionReport formed = explain(policy);
      expectSound(formed);
      EXPECT_GT(countRegions(), 0u) << sample << " under " << policy;
      EXPECT_EQ(planned.dispatches.size(), countRegions()) << sample << " under " << policy;
      EXPECT_EQ(formed.dispatches.size(), countRegions()) << sample << " under " << policy;
      if (policy == "none") {
        EXPECT_EQ(formed.totals.sameDispatch + formed.totals.fusedIntoOp, 0) << sample;
      }
    }
}

TEST_F(FusionVerdicts, OutlinedDispatchesHaveReasons) {
  openSample("mlp_gelu.mlir");
  run("func.func(fuselage-form-dispatches),fuselage-outline-dispatches");
  FusionReport report = explain("aggressive");
  expectSound(report);
  EXPECT_GT(report.totals.separate, 0);
  EXPECT_GT(report.dispatches.size(), 0u);
}

/// Edges carry the graph's ids and operand numbers.
TEST_F(FusionVerdicts, EdgesAreTheGraphs) {
  openSample("bert_attention.mlir");
  Graph graph = buildGraph(*module, PrintedModule(*module));
  std::set<std::tuple<OpId, OpId, unsigned>> drawn;
  for (const GraphEdge &edge : graph.functions.at(0).edges)
    drawn.insert({edge.from, edge.to, edge.operand});
  FusionReport report = explain("aggressive");
  ASSERT_FALSE(report.edges.empty());
  for (const FusionEdgeReport &edge : report.edges)
    EXPECT_TRUE(drawn.count({edge.from, edge.to, edge.operand})) << edge.from << " -> " << edge.to;
}

TEST_F(FusionVerdicts, BytesCountEachTransferOnce) {
  parse(R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @main(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 8 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %one = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %two = linalg.matmul ins(%one, %one : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %three = linalg.matmul ins(%two, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %four = linalg.matmul ins(%two, %three : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %open = tensor.cast %four : tensor<8x8xf32> to tensor<?x8xf32>
  return %four, %open : tensor<8x8xf32>, tensor<?x8xf32>
})");
  FusionReport report = explain("aggressive");
  constexpr int64_t size = 8 * 8 * 4;
  std::vector<int64_t> bytes;
  for (const FusionEdgeReport &edge : report.edges)
    if (edge.toOp == "linalg.matmul" && edge.fromOp == "linalg.matmul")
      bytes.push_back(edge.bytes);
  // one -> two twice: written once, read once; two -> three and four: the write stays.
  EXPECT_EQ(bytes, (std::vector<int64_t>{2 * size, 0, size, size, 2 * size}));
}

TEST_F(FusionVerdicts, RemarksAreYaml) {
  openSample("softmax.mlir");
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("remarks", "yaml", path));
  FusionPolicy policy = conservativePolicy();
  llvm::Error error = writeFusionRemarks(session.context(), judgeFusion(*module, policy), {}, path);
  EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(static_cast<bool>(buffer));
  llvm::StringRef text = (*buffer)->getBuffer();
  EXPECT_TRUE(text.contains("--- !Missed")) << text.str();
  EXPECT_TRUE(text.contains("Pass:            fusion"));
  EXPECT_TRUE(text.contains("Bytes:"));
  llvm::sys::fs::remove(path);
  llvm::Error refused = writeFusionRemarks(session.context(), {}, {}, "/nowhere/at/all.yaml");
  EXPECT_NE(llvm::toString(std::move(refused)).find("/nowhere/at/all.yaml"), std::string::npos);
}

TEST_F(FusionVerdicts, JsonHasWhatWasPromised) {
  openSample("bert_attention.mlir");
  llvm::json::Value json = message::encode(explain("conservative"));
  const llvm::json::Object &root = *json.getAsObject();
  EXPECT_EQ(root.getInteger("version"), 1);
  EXPECT_EQ(root.getString("policy"), "conservative");
  unsigned separate = 0;
  for (const llvm::json::Value &value : *root.getArray("edges")) {
    const llvm::json::Object &edge = *value.getAsObject();
    for (const char *key : {"from", "to", "operand", "verdict", "reason", "reasons", "unlocks", "bytes", "est_us"})
      EXPECT_TRUE(edge.get(key)) << key;
    if (edge.getString("verdict") == "SEPARATE") {
      ++separate;
      EXPECT_EQ(*edge.getArray("reasons")->front().getAsString(), *edge.getString("reason"));
    }
  }
  EXPECT_GT(separate, 0u);
}

/// The search for the order of dispatches is what could grow faster than the module; `fuselage-bench explain` has
/// times.
TEST_F(FusionVerdicts, PlanningGrowsLinearly) {
  for (const char *policy : {"aggressive", "conservative"}) {
    size_t edges[2];
    for (unsigned round = 0; round < 2; ++round) {
      parse(linalgChain(round == 0 ? 1250 : 5000));
      FunctionOpInterface chain = *module->getOps<FunctionOpInterface>().begin();
      DispatchPlanner planner(chain.getFunctionBody(), llvm::cantFail(parseFusionPolicy(policy)));
      planner.plan();
      edges[round] = planner.searchedEdges();
      EXPECT_GT(edges[round], 0u) << policy;
    }
    EXPECT_LE(edges[1], 5 * edges[0]) << policy << ": " << edges[0] << " edges, then " << edges[1];
  }
}

} // namespace
