#include "core/analysis/fusion/FusionReport.h"
#include "core/graph/export/Picture.h"
#include "core/graph/scene/DispatchHues.h"
#include "core/graph/scene/Palette.h"
#include "core/graph/scene/Scene.h"
#include "core/support/process/HelperProcess.h"
#include "tests/core/graph/TestModules.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

class Export : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("fuselage-export", folder_)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }
  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> full(folder_);
    llvm::sys::path::append(full, name);
    return full.str().str();
  }
  /// The exported file's content; the test fails if there is none.
  std::string exported(const Graph &graph, llvm::StringRef name, const SceneOptions &options = {}) {
    if (llvm::Error error = exportGraph(graph, options, path(name))) {
      ADD_FAILURE() << takeFailure(std::move(error)).message;
      return "";
    }
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  std::string failure(const Graph &graph, llvm::StringRef where, llvm::StringRef format = "") {
    llvm::Error error = exportGraph(graph, {}, where, format);
    return error ? takeFailure(std::move(error)).message : "no failure";
  }
  llvm::SmallString<128> folder_;
};

/// Whether tags nest and attributes are quoted: the well-formedness that a hand-written writer can
/// get wrong.
bool isWellFormed(llvm::StringRef xml) {
  std::vector<std::string> open;
  while (!xml.empty()) {
    size_t start = xml.find('<');
    if (xml.take_front(start).contains('>'))
      return false;
    if (start == llvm::StringRef::npos)
      break;
    xml = xml.drop_front(start + 1);
    size_t end = xml.find('>');
    if (end == llvm::StringRef::npos)
      return false;
    llvm::StringRef tag = xml.take_front(end);
    xml = xml.drop_front(end + 1);
    if (tag.starts_with("?"))
      continue;
    if (tag.count('"') % 2 || tag.contains('<'))
      return false;
    if (tag.consume_front("/")) {
      if (open.empty() || open.back() != tag)
        return false;
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(tag.take_until([](char c) { return c == ' '; }).str());
    }
  }
  return open.empty();
}

TEST_F(Export, SvgIsWellFormedAndNamesEveryNode) {
  for (const char *text : {matmulBias, regions, outlined}) {
    std::string svg = exported(Parsed(text).graph(), "g.svg");
    EXPECT_TRUE(isWellFormed(svg));
    EXPECT_NE(svg.find("font-family=\"DejaVu Sans"), std::string::npos);
    EXPECT_NE(svg.find("<title>return</title>"), std::string::npos);
  }
}

TEST_F(Export, SvgEscapes) {
  Graph graph = Parsed(R"mlir(
"util.func"() ({
^bb0(%a: !my.type<"x<y&\22">):
  "my.return"(%a) : (!my.type<"x<y&\22">) -> ()
}) {sym_name = "a<b>&\01\22"} : () -> ()
)mlir")
                    .graph();
  EXPECT_TRUE(isWellFormed(exported(graph, "g.svg")));
  EXPECT_FALSE(exported(graph, "g.png").empty()); // librsvg's parser accepts it, too
}

TEST_F(Export, DotIsReadByGraphviz) {
  for (const char *text : {matmulBias, regions, outlined}) {
    std::string dot = exported(Parsed(text).graph(), "g.dot");
    llvm::Expected<std::string> svg = runFilter("dot", {"-Tsvg"}, dot, nullptr, 60, "");
    if (!svg) {
      std::string message = takeFailure(svg.takeError()).message;
      if (message.find("not found in PATH") != std::string::npos)
        GTEST_SKIP() << message;
      FAIL() << message;
    }
    EXPECT_NE(svg->find("<svg"), std::string::npos);
  }
}

TEST_F(Export, PngIsTwiceTheSize) {
  Graph graph = Parsed(matmulBias).graph();
  std::string png = exported(graph, "g.png");
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  llvm::Expected<Scene> scene = buildScene(graph, {});
  ASSERT_TRUE(static_cast<bool>(scene));
  EXPECT_NEAR(llvm::support::endian::read32be(png.data() + 16), 2 * scene->bounds.w, 2);
  EXPECT_NEAR(llvm::support::endian::read32be(png.data() + 20), 2 * scene->bounds.h, 2);
}

TEST_F(Export, PdfAndJson) {
  Graph graph = Parsed(matmulBias).graph();
  EXPECT_EQ(exported(graph, "g.pdf").substr(0, 5), "%PDF-");
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(exported(graph, "g.json"));
  ASSERT_TRUE(static_cast<bool>(json));
  const llvm::json::Object *root = json->getAsObject();
  EXPECT_EQ(root->getInteger("version"), 1);
  const llvm::json::Object *function = root->getArray("functions")->front().getAsObject();
  EXPECT_EQ(function->getString("name"), "main");
  for (const char *key : {"id", "op", "results", "types", "loc", "dispatch"})
    EXPECT_NE(function->getArray("nodes")->front().getAsObject()->get(key), nullptr) << key;
  for (const char *key : {"from", "to", "operand", "type", "bytes"})
    EXPECT_NE(function->getArray("edges")->front().getAsObject()->get(key), nullptr) << key;
  for (const char *key : {"id", "name", "kind", "nodes", "flops", "bytes_read", "bytes_written"})
    EXPECT_NE(function->getArray("dispatches")->front().getAsObject()->get(key), nullptr) << key;
}

TEST_F(Export, SamePictureTwice) {
  Graph graph = Parsed(regions).graph();
  for (const char *name : {"g.svg", "g.dot", "g.json", "g.png", "g.pdf"})
    EXPECT_EQ(exported(graph, name), exported(graph, name)) << name;
}

TEST_F(Export, EdgesLookByTheirVerdictsAndALegendSaysHow) {
  Graph graph = Parsed(matmulBias).graph();
  EdgeVerdicts verdicts;
  EdgeLook looks[] = {EdgeLook::Fused, EdgeLook::Possible, EdgeLook::Tried, EdgeLook::Impossible};
  size_t next = 0;
  for (const GraphEdge &edge : graph.functions.front().edges)
    verdicts.looks[{edge.from, edge.to, edge.operand}] = looks[next++ % 4];
  ASSERT_GE(next, std::size(looks));
  verdicts.counts = {0, 7, 8, 10, 0, 9};
  auto write = [&](llvm::StringRef name, const EdgeVerdicts *wanted) {
    EXPECT_FALSE(static_cast<bool>(exportGraph(graph, {}, path(name), "", wanted)));
    auto buffer = llvm::MemoryBuffer::getFile(path(name));
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  std::string svg = write("g.svg", &verdicts);
  EXPECT_TRUE(isWellFormed(svg));
  for (const char *part : {"id=\"legend\"", "can be fused  8", "tried without success  10", "cannot be fused  9"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  // Of fused values, those that have a line.
  llvm::Expected<Scene> scene = buildScene(graph, {});
  ASSERT_TRUE(static_cast<bool>(scene));
  size_t drawn = 0;
  for (const SceneEdge &edge : scene->edges)
    for (const SceneUse &use : edge.uses)
      drawn += verdicts.looks[{use.from, use.to, use.operand}] == EdgeLook::Fused;
  EXPECT_NE(svg.find(">fused  " + std::to_string(drawn) + "<"), std::string::npos) << drawn;
  EXPECT_EQ(svg.find("not tried yet"), std::string::npos) << "all were tried";
  llvm::StringRef lines = llvm::StringRef(svg).split("<g id=\"edges\"").second.split("<g id=\"nodes\"").first;
  for (EdgeLook look : looks)
    EXPECT_TRUE(lines.contains(std::string("stroke=\"") + lookColor(look))) << int(look);
  EXPECT_GT(lines.count("stroke-dasharray"), 1u);
  std::string dot = write("g.dot", &verdicts);
  for (const char *part :
       {"style=solid", "style=dashed", "style=dotted", "arrowhead=onormal", "cluster_legend", "can be fused  8"})
    EXPECT_NE(dot.find(part), std::string::npos) << part;
  EXPECT_EQ(write("plain.svg", nullptr).find("legend"), std::string::npos);
  EXPECT_EQ(write("plain.dot", nullptr).find("legend"), std::string::npos);
}

TEST_F(Export, WhatMovesNoBytesIsNoMissedFusion) {
  FusionReport report;
  for (int64_t bytes : {0, 64, -1}) {
    FusionEdgeReport edge;
    edge.from = 1;
    edge.to = 2;
    edge.operand = static_cast<int>(report.edges.size());
    edge.verdict = Verdict::Separate;
    edge.legal = true;
    edge.bytes = bytes;
    edge.missed = bytes != 0;
    edge.state = edge.missed ? message::FusionState::Possible : message::FusionState::None;
    report.edges.push_back(edge);
  }
  EdgeVerdicts verdicts = edgeVerdicts(report);
  EXPECT_EQ(verdicts.counts[static_cast<size_t>(message::FusionState::Possible)],
            2u); // of the last one nobody knows how much
  EXPECT_EQ(verdicts.looks.size(), 2u);
}

TEST_F(Export, NoLineStrikesALabelThrough) {
  std::string svg = exported(Parsed(matmulBias).graph(), "g.svg");
  llvm::StringRef labels = llvm::StringRef(svg).split("<g id=\"labels\"").second.split("</g>").first;
  EXPECT_GT(labels.count("<text"), 0u);
  EXPECT_EQ(labels.count("<rect"), labels.count("<text")); // paper under each
}

TEST_F(Export, DispatchesKeepTheirColours) {
  DispatchHues hues;
  EXPECT_EQ(hues.of("a.mlir:3:4", 0), 0u);
  EXPECT_EQ(hues.of("a.mlir:9:4", 1), 1u);
  EXPECT_EQ(hues.of("a.mlir:9:4", 0), 1u); // the first one is gone
  EXPECT_EQ(hues.of("a.mlir:5:4", 1), 2u);
  EXPECT_EQ(hues.of("", 7), 7u);
  llvm::Expected<Scene> scene = buildScene(Parsed(matmulBias).graph(), {});
  ASSERT_TRUE(static_cast<bool>(scene));
  ASSERT_FALSE(scene->dispatchHues.empty());
  std::string own = dispatchInk(5).line;
  EXPECT_EQ(toSVG(*scene).find(own), std::string::npos);
  scene->dispatchHues.front() = 5;
  EXPECT_NE(toSVG(*scene).find(own), std::string::npos);
  EXPECT_NE(toDOT(*scene).find(own), std::string::npos);
}

TEST_F(Export, FailuresSayWhat) {
  Graph graph = Parsed(matmulBias).graph();
  EXPECT_NE(failure(graph, path("g.bmp")).find("bmp"), std::string::npos);
  EXPECT_NE(failure(graph, path("no/such/folder/g.svg")).find("cannot write"), std::string::npos);
  EXPECT_NE(failure(graph, folder_, "svg").find("folder"), std::string::npos);
  if (llvm::sys::fs::exists("/dev/full")) {
    EXPECT_NE(failure(graph, "/dev/full", "svg").find("cannot write"), std::string::npos);
  }
}

TEST_F(Export, ARegionIsWhatThePictureHasOfIt) {
  auto scene = buildScene(Parsed(matmulBias).graph(), {});
  ASSERT_TRUE(bool(scene));
  PictureOptions options;
  options.sheet = Sheet::A4;
  size_t whole = planPages(*scene, options).tiles.size();
  EXPECT_GT(whole, 0u);
  options.region = LayoutRect{0, 0, 1.5e9, 1.5e9};
  EXPECT_EQ(planPages(*scene, options).tiles.size(), whole);
  options.region = LayoutRect{-9e18, -9e18, 1.8e19, 1.8e19};
  EXPECT_EQ(planPages(*scene, options).tiles.size(), whole);
  options.region = LayoutRect{5e8, 5e8, 10, 10};
  EXPECT_EQ(countPages(*scene, path("away.pdf"), "", options), 0u);
  llvm::Error error = exportScene(*scene, path("away.pdf"), "", options);
  ASSERT_TRUE(bool(error));
  EXPECT_EQ(takeFailure(std::move(error)).message, "there is nothing in that part of the picture");
  EXPECT_FALSE(llvm::sys::fs::exists(path("away.pdf")));
  // A picture of more sheets than can be counted one by one.
  options.region.reset();
  scene->bounds = {0, 0, 1e12, 1e12};
  EXPECT_GT(countPages(*scene, path("huge.pdf"), "", options), PagePlan::mostCells);
  llvm::Error huge = exportScene(*scene, path("huge.pdf"), "", options);
  ASSERT_TRUE(bool(huge));
  EXPECT_NE(takeFailure(std::move(huge)).message.find("no more than 400"), std::string::npos);
}

TEST_F(Export, KeepsTheOldFileAndLeavesNoOthers) {
  Graph graph = Parsed(matmulBias).graph();
  std::string good = exported(graph, "g.svg");
  EXPECT_EQ(exported(graph, "g.svg"), good);
  std::error_code error;
  unsigned files = 0;
  for (llvm::sys::fs::directory_iterator it(folder_, error), end; it != end && !error; it.increment(error))
    ++files;
  EXPECT_EQ(files, 1u);
}

} // namespace
