// tune/*, asked of the real process.
#include "core/stepping/tool/ToolProcess.h"
#include "core/tuning/journal/Trial.h"
#include "tests/core/engine/EngineProcess.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace fuselage::test {
namespace {

using llvm::json::Array;
using llvm::json::Object;

/// A small product, and a schedule that tiles it; the journal is in a folder of its own.
struct TuneEngine : EngineProcess {
  std::shared_ptr<ToolFolder> folder;

  TuneEngine() {
    auto made = ToolFolder::make();
    EXPECT_TRUE(bool(made));
    folder = *made;
    std::ofstream(folder->file("payload.mlir"))
        << "func.func @f(%a: tensor<48x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x48xf32>) -> "
           "tensor<48x48xf32> {\n"
           "  %mm = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x48xf32>) outs(%c : "
           "tensor<48x48xf32>) -> tensor<48x48xf32>\n"
           "  return %mm : tensor<48x48xf32>\n}\n";
    call("document/open", Object{{"path", folder->file("payload.mlir")}});
  }

  static std::string script(const std::string &most = "1024") {
    return "module attributes {transform.with_named_sequence} {\n"
           "  transform.named_sequence @__transform_main(%root: !transform.any_op "
           "{transform.readonly}) {\n"
           "    %rows = transform.tune.knob<\"rows\"> = 16 from options = {lower_bound = 8, "
           "divides = \"arg0.0\"} -> !transform.param<i64>\n"
           "    %columns = transform.tune.knob<\"columns\"> = 8 from options = [8, 16, 48] -> "
           "!transform.param<i64>\n"
           "    transform.smt.constrain_params(%rows, %columns) : (!transform.param<i64>, "
           "!transform.param<i64>) -> () {\n"
           "    ^bb0(%r: !smt.int, %c: !smt.int):\n"
           "      %area = smt.int.mul %r, %c\n"
           "      %most = smt.int.constant " +
           most +
           "\n"
           "      %fits = smt.int.cmp le %area, %most\n"
           "      smt.assert %fits\n    }\n"
           "    %mm = transform.structured.match ops{[\"linalg.matmul\"]} in %root : "
           "(!transform.any_op) -> !transform.any_op\n"
           "    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%rows, %columns] : "
           "(!transform.any_op, !transform.param<i64>, "
           "!transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)\n"
           "    transform.yield\n  }\n}\n";
  }
  Object subject(Object more = {}) {
    Object params{{"snapshot", 0}, {"path", "s.mlir"}, {"text", script()}, {"device", "host"}};
    for (auto &[key, value] : more)
      params[key] = value;
    return params;
  }
  Object start(Object more = {}) {
    Object params = subject(Object{{"rounds", 3}, {"journal", folder->file("j.jsonl")}, {"strategy", "exhaustive"}});
    for (auto &[key, value] : more)
      params[key] = value;
    return call("tune/start", std::move(params));
  }
  /// Polls until `done` holds for an answer, which has all trials.
  template <class Done> Object await(const Done &done) {
    for (int i = 0; i < 6000; ++i) {
      Object progress = call("tune/poll");
      if (done(progress))
        return progress;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ADD_FAILURE() << "the tuning does not get there";
    return {};
  }
  Object awaitEnd() {
    return await([](const Object &progress) { return progress.getBoolean("running") == false; });
  }
};

const Object &knob(const Object &space, llvm::StringRef name) {
  for (const llvm::json::Value &each : *space.getArray("knobs"))
    if (each.getAsObject()->getString("name") == name)
      return *each.getAsObject();
  ADD_FAILURE() << "no knob " << name.str();
  return *space.getArray("knobs")->front().getAsObject();
}

std::string listOf(const Array &array) {
  std::string text;
  for (const llvm::json::Value &each : array)
    text += (text.empty() ? "" : " ") +
            (each.getAsString() ? each.getAsString()->str() : std::to_string(each.getAsInteger().value_or(-1)));
  return text;
}

} // namespace

TEST(TuneMethods, ListsKnobsAndWhatGoesTogether) {
  TuneEngine engine;
  Object space = engine.call("tune/space", engine.subject());
  EXPECT_EQ(space.getString("count"), "13");
  EXPECT_EQ(space.getBoolean("exact"), true);
  EXPECT_EQ(space.getString("problem"), "");
  const Object &rows = knob(space, "rows");
  EXPECT_EQ(listOf(*rows.getArray("values")), "8 12 16 24 48");
  EXPECT_EQ(rows.getString("value"), "16");
  EXPECT_EQ(listOf(*rows.getArray("fits")), "0 1 2 3 4"); // with 8 columns
  ASSERT_EQ(space.getArray("conditions")->size(), 1u);
  EXPECT_EQ(space.getArray("conditions")->front().getAsObject()->getString("origin"), "the schedule");

  // What a tile is, is known from the script: 16 of 48 rows, 8 of 48 columns, the whole reduction.
  ASSERT_TRUE(space.getObject("tile"));
  EXPECT_EQ(listOf(*space.getObject("tile")->getArray("sizes")), "16 8 0");
  EXPECT_EQ(space.getObject("prediction")->getInteger("tiles").value_or(0), 3 * 6);
  Object op = engine.call("op/details",
                          Object{{"snapshot", 0}, {"id", space.getObject("tile")->getInteger("op").value_or(-1)}});
  EXPECT_EQ(op.getString("op"), "linalg.matmul");

  // 48 rows leave no room for 48 columns: those follow.
  Object moved = engine.call(
      "tune/space", engine.subject(Object{{"values", Object{{"rows", "48"}, {"columns", "48"}}}, {"moved", "rows"}}));
  EXPECT_EQ(knob(moved, "rows").getString("value"), "48");
  EXPECT_EQ(knob(moved, "columns").getString("value"), "16");
  EXPECT_EQ(listOf(*moved.getArray("moved")), "columns");
  EXPECT_EQ(listOf(*knob(moved, "columns").getArray("fits")), "0 1");

  Object fixed = engine.call("tune/space", engine.subject(Object{{"fixed", Object{{"columns", "48"}}}}));
  EXPECT_EQ(fixed.getString("count"), "3");
  EXPECT_EQ(listOf(*knob(fixed, "rows").getArray("values")), "8 12 16");
  EXPECT_EQ(knob(fixed, "columns").getBoolean("fixed"), true);

  Object bad = engine.callError("tune/space", engine.subject(Object{{"values", Object{{"rows", "7"}}}}));
  EXPECT_EQ(bad.getString("message"), "the knob 'rows' does not take '7'");
}

TEST(TuneMethods, SaysWhatClashes) {
  TuneEngine engine;
  Object space = engine.call("tune/space", engine.subject(Object{{"text", TuneEngine::script("63")}}));
  EXPECT_TRUE(space.getString("problem")->contains("rows * columns <= 63")) << space.getString("problem")->str();
  EXPECT_EQ(space.getArray("conditions")->front().getAsObject()->getBoolean("clashes"), true);
  Object error = engine.callError("tune/start", engine.subject(Object{{"text", TuneEngine::script("63")}}));
  EXPECT_TRUE(error.getString("message")->contains("rows * columns <= 63"));
}

TEST(TuneMethods, OffersTheSizesOfADispatch) {
  TuneEngine engine;
  Object subject{{"dispatch", "0"}, {"device", "host"}};
  Object space = engine.call("tune/space", std::move(subject));
  EXPECT_TRUE(space.getString("subject")->starts_with("@f_dispatch_0_matmul"));
  EXPECT_EQ(knob(space, "rows").getString("value"), "0"); // the pipeline's own
  // One size is asked for where all are.
  Object moved =
      engine.call("tune/space", Object{{"dispatch", "0"},
                                       {"values", Object{{"rows", "4"}, {"vectors", "0"}, {"task_rows", "0"}}},
                                       {"moved", "rows"}});
  EXPECT_EQ(knob(moved, "rows").getString("value"), "4");
  EXPECT_NE(knob(moved, "vectors").getString("value"), "0");
  // What a task takes of the product, and what of it is in registers; nobody asks where the pipeline chooses.
  EXPECT_FALSE(space.getObject("tile"));
  Object asked =
      engine.call("tune/space",
                  Object{{"dispatch", "0"}, {"values", Object{{"rows", "4"}, {"vectors", "1"}, {"task_rows", "16"}}}});
  const Object *tile = asked.getObject("tile");
  ASSERT_TRUE(tile && tile->getArray("sizes") && tile->getArray("inner"));
  EXPECT_EQ((*tile->getArray("sizes"))[0], 16);
  EXPECT_EQ((*tile->getArray("inner"))[0], 4);
  EXPECT_EQ((*tile->getArray("inner"))[2], 0) << "all of the depth";
  EXPECT_EQ(asked.getObject("prediction")->getInteger("tiles").value_or(0) % 3, 0) << "48 rows";
  Object error = engine.callError("tune/space", Object{{"dispatch", "0"}, {"path", "s.mlir"}});
  EXPECT_EQ(error.getInteger("code"), -32602);
  EXPECT_TRUE(engine.callError("tune/space", Object{{"dispatch", "0"}, {"device", "vulkan:9"}})
                  .getString("message")
                  ->contains("vulkan:9"));
}

TEST(TuneMethods, OffersTheTilesOfFusedAttention) {
  TuneEngine engine;
  std::ofstream(engine.folder->file("attention.mlir")) << R"(
    func.func @f(%q: tensor<2x48x16xf32>, %k: tensor<2x16x60xf32>, %v: tensor<2x60x16xf32>) -> tensor<2x48x16xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x48x60xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x48x60xf32>) -> tensor<2x48x60xf32>
      %s = linalg.batch_matmul ins(%q, %k : tensor<2x48x16xf32>, tensor<2x16x60xf32>) outs(%f : tensor<2x48x60xf32>) -> tensor<2x48x60xf32>
      %p = linalg.softmax dimension(2) ins(%s : tensor<2x48x60xf32>) outs(%e : tensor<2x48x60xf32>) -> tensor<2x48x60xf32>
      %r = tensor.empty() : tensor<2x48x16xf32>
      %g = linalg.fill ins(%zero : f32) outs(%r : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
      %o = linalg.batch_matmul ins(%p, %v : tensor<2x48x60xf32>, tensor<2x60x16xf32>) outs(%g : tensor<2x48x16xf32>) -> tensor<2x48x16xf32>
      return %o : tensor<2x48x16xf32>
    })";
  engine.call("document/open", Object{{"path", engine.folder->file("attention.mlir")}});
  engine.call(
      "fusion/fuse",
      Object{{"snapshot", 0},
             {"check", "never"},
             {"pipeline",
              "builtin.module(func.func(fuselage-decompose-softmax,fuselage-generalize,fuselage-fuse-attention))"}});
  Object space = engine.call("tune/space", Object{{"snapshot", 3}, {"dispatch", "0"}, {"device", "host"}});
  EXPECT_EQ(knob(space, "queries").getString("value"), "0");
  EXPECT_EQ(knob(space, "keys").getString("value"), "0");
  Object asked = engine.call(
      "tune/step", Object{{"snapshot", 3}, {"dispatch", "0"}, {"values", Object{{"queries", "16"}, {"keys", "20"}}}});
  EXPECT_TRUE(asked.getInteger("snapshot"));
}

/// The dispatch alone, as snapshots for every other method.
TEST(TuneMethods, RunsADispatchWithTheSizesThatAreAskedFor) {
  TuneEngine engine;
  auto textOf = [&](std::optional<int64_t> snapshot) {
    std::string text;
    Object lines = engine.call("text/lines", Object{{"snapshot", snapshot.value_or(-1)}, {"first", 0}, {"count", 500}});
    for (const llvm::json::Value &line : *lines.getArray("lines"))
      text += line.getAsString()->str() + "\n";
    return text;
  };
  Object host = engine.call(
      "tune/step", Object{{"dispatch", "0"}, {"values", Object{{"rows", "4"}, {"vectors", "2"}, {"task_rows", "16"}}}});
  EXPECT_EQ(textOf(host.getInteger("before")).find("fuselage.tiling"), std::string::npos);
  EXPECT_NE(textOf(host.getInteger("snapshot")).find("host = array<i64: 4, 2, 16, 0>"), std::string::npos)
      << textOf(host.getInteger("snapshot"));

  Object gpu = engine.call("tune/step", Object{{"dispatch", "0"},
                                               {"device", "vulkan:0"},
                                               {"values", Object{{"tile_0", "16"}, {"tile_1", "24"}, {"step", "8"}}}});
  EXPECT_EQ(gpu.getString("title"), "Tile to workgroups, Fuse producers, Tile reductions");
  EXPECT_NE(textOf(gpu.getInteger("before")).find("workgroup = array<i64: 16, 24, 0>"), std::string::npos);
  std::string tiled = textOf(gpu.getInteger("snapshot"));
  EXPECT_NE(tiled.find("scf.forall"), std::string::npos);
  EXPECT_NE(tiled.find("tensor<16x24xf32>"), std::string::npos) << tiled;

  EXPECT_TRUE(engine.callError("tune/step", Object{{"dispatch", "0"}, {"values", Object{{"rows", "4"}}}})
                  .getString("message")
                  ->contains("no such point"));
  Object refused = engine.callError(
      "tune/step", Object{{"dispatch", "0"}, {"values", Object{{"rows", "4"}, {"vectors", "0"}, {"task_rows", "16"}}}});
  EXPECT_TRUE(refused.getString("message")->contains("no such point: vectors is set where rows is (the op)"))
      << refused.getString("message")->str();
  EXPECT_EQ(engine.callError("tune/step", engine.subject()).getInteger("code"), -32602);
}

TEST(TuneMethods, TunesInAProcessOfItsOwn) {
  TuneEngine engine;
  engine.start();
  EXPECT_TRUE(engine.callError("tune/start", engine.subject()).getString("message")->contains("cancel it first"));
  Object done = engine.awaitEnd();
  EXPECT_EQ(done.getString("problem"), "");
  ASSERT_EQ(done.getArray("trials")->size(), 13u);
  const Object &begin = *done.getObject("begin");
  EXPECT_EQ(begin.getInteger("trials"), 13);
  unsigned bests = 0;
  for (const llvm::json::Value &each : *done.getArray("trials")) {
    const Object &trial = *each.getAsObject();
    EXPECT_TRUE(trial.getObject("parameters")->getString("rows"));
    bool ran = trial.getString("status") == "ok";
    EXPECT_EQ(ran && trial.getNumber("relative").has_value(), ran);
    bests += trial.getBoolean("best") == true;
  }
  EXPECT_GE(bests, 1u);
  const Object &outcome = *done.getObject("outcome");
  EXPECT_EQ(outcome.getBoolean("exhausted"), true);
  EXPECT_EQ(outcome.getObject("baseline")->getString("rows"), "16");
  EXPECT_TRUE(outcome.getObject("best")->getString("columns"));
  // Only what is new.
  EXPECT_EQ(engine.call("tune/poll", Object{{"from", 10}}).getArray("trials")->size(), 3u);
  // From what it learned.
  Object space = engine.call("tune/space", engine.subject());
  EXPECT_EQ(space.getObject("prediction")->getInteger("trials").value_or(0), 13);
  // All points ran: what was measured is said, and not what a model expects.
  const Object &first = *done.getArray("trials")->front().getAsObject(); // the baseline
  EXPECT_EQ(space.getObject("prediction")->getInteger("measured"), first.getInteger("number"));
  EXPECT_EQ(space.getObject("prediction")->getNumber("relative"), first.getNumber("relative"));

  // The journal has all of it, for who comes later.
  Object journal = engine.call(
      "tune/journal", Object{{"journal", engine.folder->file("j.jsonl")}, {"csv", engine.folder->file("t.csv")}});
  ASSERT_EQ(journal.getArray("works")->size(), 1u);
  EXPECT_EQ(journal.getArray("works")->front().getAsObject()->getInteger("trials"), 13);
  EXPECT_EQ(journal.getArray("trials")->size(), 13u);
  EXPECT_EQ(journal.getInteger("matching"), 13);
  std::ifstream csv(engine.folder->file("t.csv"));
  std::string head;
  std::getline(csv, head);
  EXPECT_EQ(head.rfind("columns,rows,status,", 0), 0u) << head;
  EXPECT_TRUE(engine.callError("tune/journal", Object{{"journal", engine.folder->file("none")}})
                  .getString("message")
                  ->contains("no journal"));
}

/// A line of a journal that says how long a trial took.
std::string journalLine(int number, const char *dispatch) {
  tune::Trial trial{
      .key = {.module = "m", .dispatch = dispatch, .schedule = "s", .device = "d", .driver = "1", .version = "1"},
      .parameters = {{"rows", std::to_string(number)}},
      .status = number % 10 == 0 ? tune::TrialStatus::Failed : tune::TrialStatus::Ok,
      .why = number % 10 == 0 ? "too large" : ""};
  if (number % 10)
    trial.microseconds = trial.baseline = {100.0 + number};
  return llvm::formatv("{0}", tune::toJson(trial)).str() + "\n";
}

TEST(TuneMethods, PagesALongJournalAndReadsOnlyWhatIsNew) {
  TuneEngine engine;
  std::string path = engine.folder->file("long.jsonl");
  constexpr int many = 20'000;
  {
    std::ofstream file(path);
    for (int number = 1; number <= many; ++number)
      file << journalLine(number, number % 2 ? "odd" : "even");
  }
  auto ask = [&](Object params) {
    params["journal"] = path;
    return engine.call("tune/journal", std::move(params));
  };
  auto rows = [](const Object &journal) {
    std::vector<std::string> all;
    for (const llvm::json::Value &trial : *journal.getArray("trials"))
      all.push_back(trial.getAsObject()->getObject("parameters")->getString("rows")->str());
    return all;
  };
  Object works = ask(Object{{"count", 0}});
  EXPECT_TRUE(works.getArray("trials")->empty());
  EXPECT_EQ(works.getInteger("matching"), many);
  ASSERT_EQ(works.getArray("works")->size(), 2u);
  EXPECT_EQ(works.getArray("works")->front().getAsObject()->getInteger("trials"), many / 2);
  Object page = ask(Object{{"work", 1}, {"from", 4}, {"count", 3}});
  EXPECT_EQ(rows(page), (std::vector<std::string>{"10", "12", "14"}));
  EXPECT_EQ(page.getInteger("matching"), many / 2);
  EXPECT_EQ(rows(ask(Object{{"status", "failed"}, {"from", many / 10 - 1}})),
            std::vector<std::string>{std::to_string(many)});
  EXPECT_EQ(rows(ask(Object{{"text", "rows=1999"}})).size(), 11u); // 1999, and 19990 to 19999
  EXPECT_EQ(ask(Object{{"text", "too large"}, {"count", 0}}).getInteger("matching"), many / 10);
  EXPECT_TRUE(rows(ask(Object{{"from", many}})).empty());
  EXPECT_TRUE(
      engine.callError("tune/journal", Object{{"journal", path}, {"status", "unheard of"}}).getString("message"));

  // What is appended, and what is another file by that name.
  std::ofstream(path, std::ios::app) << journalLine(many + 1, "odd");
  EXPECT_EQ(rows(ask(Object{{"from", many}})), std::vector<std::string>{std::to_string(many + 1)});
  std::ofstream(path) << journalLine(7, "odd");
  EXPECT_EQ(rows(ask(Object())), std::vector<std::string>{"7"});
}

/// Where several ops have the name, or a size comes from elsewhere, nobody knows a tile before it runs.
TEST(TuneMethods, TilesThatAreNotKnownAreNotGuessed) {
  TuneEngine engine;
  std::string script = TuneEngine::script();
  script.replace(script.find("linalg.matmul"), 13, "linalg.fill");
  Object space = engine.call("tune/space", engine.subject(Object{{"text", script}}));
  EXPECT_FALSE(space.getObject("tile"));
  EXPECT_FALSE(space.getObject("prediction")->getInteger("tiles"));
}

TEST(TuneMethods, TunesAllDispatchesOneAfterTheOther) {
  TuneEngine engine;
  std::ofstream(engine.folder->file("two.mlir"))
      << "func.func @f(%a: tensor<48x32xf32>, %b: tensor<32x48xf32>, %c: tensor<48x48xf32>, %d: tensor<48x16xf32>, %e: "
         "tensor<48x16xf32>) "
         "-> tensor<48x16xf32> {\n"
         "  %0 = linalg.matmul ins(%a, %b : tensor<48x32xf32>, tensor<32x48xf32>) outs(%c : tensor<48x48xf32>) -> "
         "tensor<48x48xf32>\n"
         "  %1 = linalg.matmul ins(%0, %d : tensor<48x48xf32>, tensor<48x16xf32>) outs(%e : tensor<48x16xf32>) -> "
         "tensor<48x16xf32>\n"
         "  return %1 : tensor<48x16xf32>\n}\n";
  engine.call("document/open", Object{{"path", engine.folder->file("two.mlir")}});
  Object started = engine.call("tune/start", Object{{"snapshot", 0},
                                                    {"all", true},
                                                    {"device", "host"},
                                                    {"trials", 7},
                                                    {"rounds", 3},
                                                    {"strategy", "random"},
                                                    {"journal", ""},
                                                    {"tuned", "none"}});
  EXPECT_TRUE(started.getObject("roofs")) << started.getString("note")->str();
  Object done = engine.awaitEnd();
  EXPECT_EQ(done.getString("problem"), "");
  const Object &plan = *done.getObject("plan");
  EXPECT_EQ(plan.getInteger("trials"), 7);
  ASSERT_EQ(plan.getArray("items")->size(), 2u);
  std::vector<int64_t> trials(2);
  for (const llvm::json::Value &trial : *done.getArray("trials"))
    ++trials[size_t(*trial.getAsObject()->getInteger("work"))];
  EXPECT_EQ(trials[0] + trials[1], 7);
  for (size_t number : {0u, 1u}) {
    const Object &item = *(*plan.getArray("items"))[number].getAsObject();
    EXPECT_EQ(item.getInteger("trials"), trials[number]);
    EXPECT_GT(item.getNumber("best_us").value_or(0), 0);
    EXPECT_GT(item.getNumber("baseline_us").value_or(0), 0);
    ASSERT_TRUE(item.getObject("outcome"));
    EXPECT_EQ(item.getObject("outcome")->getInteger("item"), int64_t(number));
    EXPECT_NE(item.getObject("limit")->getString("kind"), "unknown");
  }
  // The dearest first.
  EXPECT_EQ((*plan.getArray("items"))[0].getAsObject()->getNumber("flops"), 2.0 * 48 * 48 * 32);

  // Each may have the budget.
  engine.call("tune/start", Object{{"all", true},
                                   {"each", true},
                                   {"device", "host"},
                                   {"trials", 3},
                                   {"rounds", 3},
                                   {"strategy", "random"},
                                   {"journal", ""},
                                   {"tuned", "none"}});
  Object each = engine.awaitEnd();
  EXPECT_EQ(each.getObject("plan")->getInteger("trials"), 6);
  for (const llvm::json::Value &item : *each.getObject("plan")->getArray("items"))
    EXPECT_EQ(item.getAsObject()->getInteger("trials"), 3);
  EXPECT_EQ(engine.callError("tune/start", Object{{"dispatch", "0"}, {"each", true}}).getInteger("code"), -32602);
  // Of all there is no one space.
  EXPECT_EQ(engine.callError("tune/space", Object{{"all", true}}).getInteger("code"), -32602);
}

TEST(TuneMethods, StopsWhereItIsAsked) {
  TuneEngine engine;
  engine.start(Object{{"rounds", 10000}, {"journal", ""}});
  engine.await([](const Object &progress) {
    return !progress.getArray("trials")->empty() || progress.getBoolean("running") == false;
  });
  engine.call("tune/control", Object{{"action", "pause"}});
  EXPECT_EQ(engine.call("tune/poll").getBoolean("paused"), true);
  engine.call("tune/control", Object{{"action", "cancel"}});
  Object done = engine.awaitEnd();
  EXPECT_LT(done.getArray("trials")->size(), 13u);
  ASSERT_TRUE(done.getObject("outcome")) << done.getString("problem")->str();
  EXPECT_EQ(done.getObject("outcome")->getBoolean("exhausted"), false);
  EXPECT_EQ(engine.callError("tune/control", Object{{"action", "jump"}}).getInteger("code"), -32602);
}

/// Cancelled while it waits for a word, and not for a trial.
TEST(TuneMethods, StopsInAPause) {
  TuneEngine engine;
  engine.start(Object{{"rounds", 2000}, {"journal", ""}});
  engine.await([](const Object &progress) {
    return !progress.getArray("trials")->empty() || progress.getBoolean("running") == false;
  });
  engine.call("tune/control", Object{{"action", "pause"}});
  size_t trials = 0;
  int quiet = 0; // for so many looks nothing came
  engine.await([&](const Object &progress) {
    quiet = progress.getArray("trials")->size() == trials ? quiet + 1 : 0;
    trials = progress.getArray("trials")->size();
    return quiet > 50;
  });
  engine.call("tune/control", Object{{"action", "cancel"}});
  Object done = engine.awaitEnd();
  EXPECT_EQ(done.getArray("trials")->size(), trials);
  EXPECT_TRUE(done.getObject("outcome")) << done.getString("problem")->str();
}

/// Whether a command line has it.
static bool anyProcessNames(const std::string &word) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/proc", error), end; entry != end && !error; entry.increment(error)) {
    std::ifstream file(entry->path() + "/cmdline");
    std::string line{std::istreambuf_iterator<char>(file), {}};
    if (line.find(word) != std::string::npos)
      return true;
  }
  return false;
}

/// The search ends with the engine, however that ends.
TEST(TuneMethods, TheSearchOutlivesNobody) {
  TuneEngine engine;
  std::string path = engine.folder->file("j.jsonl");
  engine.start(Object{{"trials", 1000}});
  engine.await([](const Object &progress) { return !progress.getArray("trials")->empty(); });
  engine.call("tune/control", Object{{"action", "pause"}}); // it waits for a word
  ASSERT_TRUE(anyProcessNames(path));
  engine.kill(SIGKILL);
  ASSERT_TRUE(engine.wait());
  bool isAtWork = true;
  for (int i = 0; i < 1000 && isAtWork; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    isAtWork = anyProcessNames(path);
  }
  EXPECT_FALSE(isAtWork);
}

TEST(TuneMethods, ShowsATrialsSchedule) {
  TuneEngine engine;
  Object shown =
      engine.call("tune/schedule", engine.subject(Object{{"values", Object{{"rows", "24"}, {"columns", "8"}}},
                                                         {"baseline", Object{{"rows", "16"}, {"columns", "8"}}}}));
  EXPECT_TRUE(shown.getString("text")->contains("knob<\"rows\"> = 24"));
  EXPECT_TRUE(shown.getString("baseline")->contains("knob<\"rows\"> = 16"));
  EXPECT_EQ(shown.getInteger("changed"), 1);
  EXPECT_EQ(shown.getInteger("added"), 0);
}

} // namespace fuselage::test
