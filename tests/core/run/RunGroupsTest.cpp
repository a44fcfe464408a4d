// Rows of a run that are the same but for where they are make a group: exactly those, and with their totals.
#include "core/pictures/RunGroups.h"
#include "core/graph/build/GraphBuilder.h"
#include "core/graph/model/LayerNames.h"
#include "core/pictures/RunCsv.h"
#include "core/pictures/RunTable.h"
#include "core/protocol/json/JsonTextWriter.h"
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "tests/core/run/RunTestSupport.h"
#include "tests/support/Draws.h"
#include "tests/support/LayeredModel.h"
#include <map>
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

/// What a row says, but for where it is and how long it took.
std::string rowOf(const message::Kernel<> &kernel) {
  std::string text = std::to_string(kernel.onHost) + kernel.device + std::to_string(kernel.once) +
                     std::to_string(kernel.tuned) + std::to_string(kernel.calls) + kernel.cold +
                     std::to_string(int(kernel.verdict)) + " ";
  return text + (kernel.onHost ? kernel.dispatch : std::to_string(kernel.bytes) + " " + std::to_string(kernel.flops));
}

/// Each row is in one group, the one that it names; what a group stands for agrees, and adds up.
void checkGroups(const message::RunReport<> &report) {
  std::multiset<int64_t> listed;
  double sum = 0;
  for (auto [number, group] : llvm::enumerate(report.groups)) {
    ASSERT_FALSE(group.kernels.empty());
    double us = 0;
    int64_t bytes = 0;
    bool isKnown = true;
    for (int64_t index : group.kernels) {
      const message::Kernel<> &kernel = report.kernels.at(index);
      EXPECT_EQ(kernel.group, static_cast<int>(number));
      EXPECT_EQ(rowOf(kernel), rowOf(report.kernels[group.kernels.front()]));
      us += kernel.medianUs * double(kernel.calls);
      bytes += static_cast<int64_t>(kernel.bytes) * kernel.calls;
      isKnown &= kernel.bytes >= 0;
      listed.insert(index);
      if (!kernel.once)
        sum += kernel.medianUs * double(kernel.calls);
    }
    EXPECT_EQ(group.sumUs, us) << "to the nanosecond";
    EXPECT_EQ(group.bytes, isKnown ? bytes : -1) << "to the byte";
  }
  EXPECT_EQ(listed.size(), report.kernels.size());
  EXPECT_EQ(std::set<int64_t>(listed.begin(), listed.end()).size(), listed.size());
  EXPECT_NEAR(sum, report.sumUs, 1e-3) << "of microseconds: to the nanosecond";
}

/// A report as runs make it: dispatches of a few forms, some of two kernels, and pieces on the host.
RunReport randomReport(std::mt19937 &random) {
  RunReport report;
  report.device = "host";
  unsigned count = random() % 30;
  for (unsigned place = 0; place < count; ++place) {
    int form = static_cast<int>(random() % 5);
    KernelReport row;
    row.form = form == 4 ? -1 : form;
    row.kind = form == 3 ? KernelReport::Kind::Host : KernelReport::Kind::Dispatch;
    row.dispatch = row.kind == KernelReport::Kind::Host ? "tensor.pad" : "d" + std::to_string(place);
    row.device = random() % 6 == 0 ? "vulkan:0" : "host";
    row.calls = random() % 5 == 0 ? 3 : 1;
    row.once = random() % 7 == 0;
    row.bytes = form == 0 ? -1 : 1000 * (1 + form);
    row.flops = form;
    row.check.verdict = random() % 8 == 0 ? CheckVerdict::Wrong : CheckVerdict::Ok;
    for (row.part = 0; row.part < (form == 2 ? 2u : 1u); ++row.part) {
      row.medianUs = double(random() % 100'000) / 7;
      report.kernels.push_back(row);
    }
  }
  return report;
}

TEST(RunGroups, ExpandToTheFlatListOnRandomReports) {
  size_t rows = 0, groups = 0;
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 17);
    message::RunReport<> report = messageOf(randomReport(random));
    checkGroups(report);
    rows += report.kernels.size();
    groups += report.groups.size();
  }
  EXPECT_LT(groups, rows);
}

/// Lines of CSV without quotes, by their columns.
std::vector<std::map<std::string, std::string>> linesOfCsv(llvm::StringRef csv) {
  llvm::SmallVector<llvm::StringRef> lines, names, cells;
  csv.split(lines, '\n', -1, false);
  lines.front().split(names, ',');
  std::vector<std::map<std::string, std::string>> table;
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    cells.clear();
    line.split(cells, ',');
    EXPECT_EQ(cells.size(), names.size()) << line.str();
    std::map<std::string, std::string> &row = table.emplace_back();
    for (auto [name, cell] : llvm::zip(names, cells))
      row[name.str()] = cell.str();
  }
  return table;
}

/// CSV has a line for each row with its group; the groups that it tells are those of the report.
void checkCsv(const message::RunReport<> &report) {
  auto asIs = [](const std::string &text) { return text; };
  std::vector<std::pair<std::string, const message::RunReport<> *>> runs{{"a", &report}};
  std::vector<std::map<std::string, std::string>> table = linesOfCsv(message::runCsv<message::StdTypes>(runs, asIs));
  ASSERT_EQ(table.size(), report.kernels.size());
  std::map<std::string, std::vector<int64_t>> members;
  std::map<std::string, double> sums;
  for (auto [index, row] : llvm::enumerate(table)) {
    members[row["group"]].push_back(static_cast<int64_t>(index));
    sums[row["group"]] += std::stod(row["median_us"]) * std::stod(row["calls"]);
  }
  ASSERT_EQ(members.size(), report.groups.size());
  for (const auto &[group, rows] : members) {
    EXPECT_EQ(rows, report.groups.at(std::stoul(group)).kernels);
    EXPECT_EQ(table[rows.front()]["group_rows"], std::to_string(rows.size()));
    EXPECT_NEAR(std::stod(table[rows.front()]["group_us"]), sums[group], 1e-6 * (1 + sums[group]));
  }
}

/// JSON has both: the rows, each with its group, and the groups with their rows and bytes.
void checkJson(const message::RunReport<> &report) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(message::jsonText(report));
  ASSERT_TRUE(static_cast<bool>(parsed)) << llvm::toString(parsed.takeError());
  const llvm::json::Array *kernels = parsed->getAsObject()->getArray("kernels");
  const llvm::json::Array *groups = parsed->getAsObject()->getArray("groups");
  ASSERT_TRUE(kernels && groups);
  size_t listed = 0;
  for (auto [number, value] : llvm::enumerate(*groups)) {
    const llvm::json::Object &group = *value.getAsObject();
    double bytes = 0;
    bool isKnown = true, isOnHost = false;
    for (const llvm::json::Value &member : *group.getArray("kernels")) {
      const llvm::json::Object &kernel = *(*kernels)[*member.getAsInteger()].getAsObject();
      EXPECT_EQ(kernel.getInteger("group"), static_cast<int64_t>(number));
      isOnHost |= kernel.getString("kind") == "host";
      double each = kernel.getNumber("bytes").value_or(-1);
      isKnown &= each >= 0;
      bytes += each * kernel.getNumber("calls").value_or(1);
      ++listed;
    }
    if (!isOnHost) // of whose rows no bytes are written
      EXPECT_EQ(group.getNumber("bytes"), isKnown ? std::optional<double>(bytes) : std::nullopt);
  }
  EXPECT_EQ(listed, kernels->size());
}

TEST(RunGroups, AreTheSameInCsvAndJsonOfRandomReports) {
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 19);
    message::RunReport<> report = messageOf(randomReport(random));
    checkCsv(report);
    checkJson(report);
  }
}

/// The table has a line for each group, its count and its rows' bytes, and as many lines as rows if it is to be flat.
TEST(RunGroups, AreTheLinesOfTheTableOfRandomReports) {
  for (unsigned draw = 0; draw < draws(500) && !testing::Test::HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 23);
    message::RunReport<> report = messageOf(randomReport(random));
    if (report.kernels.empty())
      continue;
    std::string grouped = runTable(report), flat = runTable(report, {.flat = true});
    auto linesIn = [](llvm::StringRef text) {
      const size_t note = text.contains("\nA row with a count") ? 2 : 0; // and the empty line before it
      return text.count('\n') - note;
    };
    EXPECT_EQ(linesIn(flat) - linesIn(grouped), report.kernels.size() - report.groups.size()) << grouped << flat;
  }
}

TEST(RunGroups, WhatTakesLongestComesFirstAndKernelsOfADispatchTogether) {
  auto row = [](int form, unsigned part, double us) {
    KernelReport report;
    report.dispatch = "d" + std::to_string(form);
    report.form = form;
    report.part = part;
    report.medianUs = us;
    report.check.verdict = CheckVerdict::Ok;
    return report;
  };
  RunReport report;
  report.kernels = {row(0, 0, 5), row(1, 0, 4), row(1, 1, 1), row(2, 0, 7), row(1, 0, 4), row(1, 1, 1)};
  message::RunReport<> told = messageOf(report);
  checkGroups(told);
  std::vector<std::vector<int64_t>> kernels;
  for (const message::KernelGroup<> &group : told.groups)
    kernels.push_back(group.kernels);
  EXPECT_EQ(kernels, (std::vector<std::vector<int64_t>>{{1, 4}, {2, 5}, {3}, {0}}));
}

TEST(RunGroups, OfAModelAreNamedByItsLayers) {
  Session session(allDialects());
  auto module = session.parse(layeredModel({.layers = 5}), "model.mlir");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  RunOptions options;
  options.repeat = 1;
  auto report = runModule(session, **module, options);
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  Graph graph = buildGraph(**module);
  LayerNames names(graph);
  nameLayers(*report, {layersOfDispatches(graph, names), layersOfPlaces(names, **module)});
  message::RunReport<> told = messageOf(*report);
  checkGroups(told);
  auto asIs = [](const std::string &text) { return text; };
  auto isOfLayers = [&](const message::KernelGroup<> &group) {
    return group.kernels.size() == 5 && message::placesOf(told, group, 3, asIs) == "layer 1 to 5";
  };
  EXPECT_TRUE(llvm::any_of(told.groups, isOfLayers)) << runTable(told);
  EXPECT_LT(told.groups.size(), told.kernels.size());

  std::string grouped = runTable(told), flat = runTable(told, {.flat = true});
  EXPECT_NE(grouped.find(" x5 "), std::string::npos) << grouped;
  EXPECT_EQ(flat.find("times  "), std::string::npos) << flat;
  EXPECT_LT(grouped.size(), flat.size());
}

TEST(RunGroups, LayersAreNamedByRootsByPartsAndByNeighbours) {
  auto row = [](std::string loc, std::vector<std::string> parts, unsigned part = 0) {
    KernelReport report;
    report.loc = std::move(loc);
    report.parts = std::move(parts);
    report.part = part;
    return report;
  };
  RunReport report;
  report.kernels = {row("m:1", {}), row("m:1", {}, 1), row("m:9", {}),
                    row("m:1", {}), row("m:8", {}),    row("m:7", {"m:2", "m:3", "m:9"}),
                    row("", {}),    row("m:1", {}),    row("", {})};
  nameLayers(report, {{{"m:1", {"a", "a", "c"}}}, {{"m:2", "a"}, {"m:3", "b"}}});
  std::vector<std::string> layers;
  for (const KernelReport &kernel : report.kernels)
    layers.push_back(kernel.layer);
  EXPECT_EQ(layers, (std::vector<std::string>{"a", "a", "a", "a", "", "b", "", "c", ""}));
}

TEST(RunGroups, ARowOfAGroupIsTheMeanOfItsTimes) {
  message::RunReport<> report;
  message::Kernel<> kernel;
  kernel.dispatch = "a";
  kernel.calls = 2;
  kernel.bytes = 600;
  kernel.minUs = 1;
  kernel.medianUs = 2;
  kernel.p95Us = 3;
  kernel.gbps = 0.3;
  kernel.samples = {1, 2, 3};
  kernel.maxAbsError = 1e-7;
  kernel.limit = {.kind = message::LimitKind::Memory, .peak = "memory", .us = 1, .share = 0.5};
  report.kernels = {kernel, kernel};
  message::Kernel<> &other = report.kernels.back();
  other.dispatch = "b";
  other.minUs = 0.5;
  other.medianUs = 4;
  other.p95Us = 5;
  other.gbps = 0.15;
  other.maxAbsError = 1e-6;
  other.limit.share = 0.25;
  message::KernelGroup<> group{.kernels = {0, 1}, .sumUs = 12, .bytes = 2400, .share = 1};
  message::Kernel<> row = message::rowOf(report, group);
  EXPECT_EQ(row.dispatch, "a");
  EXPECT_EQ(row.minUs, 0.5);
  EXPECT_EQ(row.medianUs, 3);
  EXPECT_EQ(row.p95Us, 5);
  EXPECT_DOUBLE_EQ(row.gbps, 0.2) << "1200 bytes in 6 us";
  EXPECT_DOUBLE_EQ(row.limit.share, 1.0 / 3) << "2 of 6 us";
  EXPECT_EQ(row.maxAbsError, 1e-6);
  EXPECT_EQ(row.samples.size(), 6u);

  // Groups that do not hold each row once are not believed.
  report.groups = {group};
  EXPECT_EQ(message::groupsOf(report).size(), 1u);
  for (std::vector<int64_t> broken : {std::vector<int64_t>{0}, {0, 0}, {0, 2}, {0, -1}, {}}) {
    report.groups[0].kernels = broken;
    EXPECT_EQ(message::groupsOf(report).size(), 2u);
  }
}

TEST(RunGroups, PlacesAreShort) {
  message::RunReport<> report;
  message::KernelGroup<> group;
  for (const char *layer : {"layer 1", "layer 2", "layer 2", "layer 3", "", "layer 5", "encoder.layer.9"}) {
    group.kernels.push_back(int64_t(report.kernels.size()));
    report.kernels.emplace_back().layer = layer;
    report.kernels.back().dispatch = "main_dispatch_4";
  }
  auto asIs = [](const std::string &text) { return text; };
  EXPECT_EQ(message::placesOf(report, group, 9, asIs), "layer 1 to 3, main_dispatch_4, layer 5, encoder.layer.9");
  EXPECT_EQ(message::placesOf(report, group, 2, asIs), "layer 1 to 3, main_dispatch_4, .. 2 more");
}

} // namespace
