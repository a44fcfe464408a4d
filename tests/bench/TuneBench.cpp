// Enumerating spaces, and how near searches get to the best point after 5 % of one. Times of recorded sweeps come from
// tables that `fuselage tune --strategy exhaustive --csv` wrote; costs of the others from formulas.
#include "core/device/DeviceFile.h"
#include "core/ir/Session.h"
#include "core/ir/module/RunPipeline.h"
#include "core/kernels/KernelCode.h"
#include "core/registration/Registration.h"
#include "core/tuning/dispatch/DispatchFeatures.h"
#include "core/tuning/enumerate/Count.h"
#include "core/tuning/enumerate/Enumerate.h"
#include "core/tuning/search/Tuner.h"
#include "tests/bench/DlibSearch.h"
#include "tests/bench/Inputs.h"
#include "tests/bench/Measure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cmath>

namespace fuselage::bench {
namespace {

using namespace tune;

/// Two levels of tiles of a matmul, with what a GPU allows.
Space matmulSpace(int64_t size) {
  Space space;
  for (const char *name : {"m", "n", "k", "tm", "tn"})
    space.knobs.push_back({.name = name, .domain = Domain::multiples(1, size)});
  Expression e;
  int m = e.knob(0), n = e.knob(1), k = e.knob(2), tm = e.knob(3), tn = e.knob(4);
  auto divides = [&](int whole, int part) {
    return e.make(ExprOp::Equal, e.make(ExprOp::Mod, whole, part), e.constant(0));
  };
  for (int outer : {m, n, k})
    space.add(e, divides(e.constant(size), outer), Origin::Op);
  space.add(e, divides(m, tm), Origin::Schedule);
  space.add(e, divides(n, tn), Origin::Schedule);
  int footprint =
      e.make(ExprOp::Mul, e.constant(4), e.make(ExprOp::Add, e.make(ExprOp::Mul, m, k), e.make(ExprOp::Mul, k, n)));
  space.add(e, e.make(ExprOp::AtMost, footprint, e.constant(49152)), Origin::Device);
  return space;
}

void benchEnumerating(const char *what, const Space &space) {
  LoopNest nest = planLoops(space);
  uint64_t points = 0;
  double ms = bestOf(3, [&] {
    points = 0;
    forEachPoint(space, nest, [&](const Point &) { return ++points < 20'000'000; });
  });
  llvm::outs() << llvm::format("tune: enumerate %-36s %10llu points %9.1f ms  %8.2f million points a second\n", what,
                               (unsigned long long)points, ms, static_cast<double>(points) / ms / 1e3);
}

/// A space with the cost of each point, and what is known of points without measuring them.
struct Sweep {
  std::string name;
  Space space;
  std::map<Point, Cost> costs;
  Features features{};
};

/// A formula over the matmul's knobs: traffic, occupancy, waste of vectors, and jitter that stays the same.
Sweep formula(const char *name, uint64_t seed) {
  Sweep sweep{.name = name, .space = {}, .costs = {}};
  Space &space = sweep.space;
  for (const char *knob : {"m", "n", "k"})
    space.knobs.push_back({.name = knob, .domain = Domain::of({4, 8, 16, 32, 64, 128})});
  for (const char *knob : {"x", "y"})
    space.knobs.push_back({.name = knob, .domain = Domain::of({1, 2, 4, 8, 16, 32})});
  Expression e;
  int m = e.knob(0), n = e.knob(1), k = e.knob(2), x = e.knob(3), y = e.knob(4);
  space.add(e, e.make(ExprOp::Equal, e.make(ExprOp::Mod, m, y), e.constant(0)), Origin::Schedule);
  space.add(e, e.make(ExprOp::Equal, e.make(ExprOp::Mod, n, x), e.constant(0)), Origin::Schedule);
  int footprint =
      e.make(ExprOp::Mul, e.constant(4), e.make(ExprOp::Add, e.make(ExprOp::Mul, m, k), e.make(ExprOp::Mul, k, n)));
  space.add(e, e.make(ExprOp::AtMost, footprint, e.constant(32768)), Origin::Device);
  std::mt19937_64 random(seed);
  auto part = [&] { return static_cast<double>(random() % 1000) / 1000; };
  double lanes = std::exp2(4 + static_cast<double>(random() % 3)), traffic = 0.5 + part(),
         cache = std::exp2(12 + static_cast<double>(random() % 3));
  forEachPoint(space, planLoops(space), [&](const Point &p) {
    auto M = static_cast<double>(p[0]), N = static_cast<double>(p[1]), K = static_cast<double>(p[2]),
         threads = static_cast<double>(p[3] * p[4]);
    double moved = traffic * (1 / M + 1 / N) * 64,
           occupancy = std::min(1.0, threads / (4 * lanes)) * std::ceil(threads / lanes) * lanes / threads;
    double each = M * N / threads, spill = each > 64 ? each / 64 : 1, misses = 4 * (M * K + K * N) > cache ? 1.4 : 1;
    double jitter = 1 + 0.03 * part();
    sweep.costs[p] = (1 / occupancy + moved) * spill * misses * (1 + 8 / K / 4) * (p[3] >= 8 ? 1 : 1.5) * jitter;
    return true;
  });
  return sweep;
}

constexpr llvm::StringLiteral tableEnding = ".csv.zlib";

/// NAME.DEVICE of a recorded table.
llvm::StringRef nameOfTable(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  name.consume_back(tableEnding);
  return name;
}

/// What the default pipeline makes of the only dispatch of NAME.mlir, beside the tables NAME.DEVICE.csv.zlib, means for
/// a device.
Features featuresOf(const Space &space, llvm::StringRef table) {
  auto [name, device] = nameOfTable(table).split('.');
  llvm::SmallString<128> path(llvm::sys::path::parent_path(table));
  llvm::sys::path::append(path, name + ".mlir");
  Session session(allDialects());
  DeviceModel model;
  if (device == "host")
    model.language = {"host", "table"};
  else if (auto read = readDeviceFile(FUSELAGE_SOURCE_DIR "/resources/devices/lavapipe.json"))
    model = *read;
  else
    llvm::consumeError(read.takeError());
  auto module = session.open(path);
  // The table of attention is of its fused form; others have none to fuse.
  if (module)
    if (llvm::Error error =
            runPipeline(**module, "builtin.module(func.func(fuselage-fuse-attention))", "attention cannot be fused"))
      module = std::move(error);
  std::vector<Diagnostic> remarks;
  auto program = module ? formKernelProgram(**module, "", {}, remarks) : module.takeError();
  if (!program) {
    llvm::errs() << "tune: " << takeFailure(program.takeError()).message << '\n';
    return {};
  }
  return program->dispatches.empty() ? Features() : dispatchFeatures(program->dispatches.front(), space, model);
}

/// The text of a recorded table. Fails if the file cannot be read or decompressed.
llvm::Expected<std::string> readTable(llvm::StringRef path) {
  constexpr size_t mostBytes = 16 << 20;
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError(file.getError(), "cannot read it");
  if (!llvm::compression::zlib::isAvailable())
    return llvm::createStringError("this LLVM is built without zlib");
  llvm::SmallVector<uint8_t, 0> text;
  if (llvm::Error error =
          llvm::compression::zlib::decompress(llvm::arrayRefFromStringRef((*file)->getBuffer()), text, mostBytes))
    return error;
  return llvm::toStringRef(text).str();
}

/// A table of a whole sweep; knobs are the columns before `status`. A cost is the least time of a point's launches:
/// other work only adds.
std::optional<Sweep> recorded(llvm::StringRef path) {
  llvm::Expected<std::string> table = readTable(path);
  if (!table) {
    llvm::errs() << "tune: " << path << ": " << llvm::toString(table.takeError()) << '\n';
    return std::nullopt;
  }
  llvm::SmallVector<llvm::StringRef> lines, head;
  llvm::StringRef(*table).split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.empty())
    return std::nullopt;
  lines.front().split(head, ',');
  size_t knobs = llvm::find(head, "status") - head.begin();
  Sweep sweep{.name = nameOfTable(path).str(), .space = {}, .costs = {}};
  std::vector<std::vector<int64_t>> values(knobs);
  for (llvm::StringRef line : llvm::drop_begin(lines)) {
    llvm::SmallVector<llvm::StringRef> cells;
    line.split(cells, ',');
    Point point(knobs);
    bool isFine = cells.size() >= knobs + 2;
    for (size_t i = 0; isFine && i < knobs; ++i)
      isFine = !cells[i].getAsInteger(10, point[i]);
    if (!isFine)
      continue;
    for (size_t i = 0; i < knobs; ++i)
      values[i].push_back(point[i]);
    double least = 0;
    bool ran = !cells[knobs + 1].getAsDouble(least) && least > 0 &&
               (cells[knobs] == "ok" || cells[knobs] == "duplicate" || cells[knobs] == "cut short");
    sweep.costs[point] = ran ? Cost(least) : std::nullopt;
  }
  for (size_t i = 0; i < knobs; ++i)
    sweep.space.knobs.push_back(
        {.name = head[i].str(), .domain = Domain::of(values[i]), .sets = knobTargetOf(head[i])});
  sweep.features = featuresOf(sweep.space, path);
  return sweep;
}

/// The least cost that a search finds with so many trials; infinity: none.
using Search = std::function<double(const Sweep &sweep, const PointSet &points, size_t trials, uint64_t seed)>;

Search searchOf(StrategyKind kind, bool hasFeatures = true) {
  return [kind, hasFeatures](const Sweep &sweep, const PointSet &points, size_t trials, uint64_t seed) {
    Features features = hasFeatures ? sweep.features : Features();
    Tuned tuned = tunePoints(
        points, {.strategy = {.kind = kind, .seed = seed, .features = std::move(features)}, .trials = trials},
        [&](const Point &point, const MeasurePlan &) -> llvm::Expected<Measurement> {
          Cost cost = sweep.costs.at(point);
          return cost ? Measurement{.status = TrialStatus::Ok, .microseconds = {*cost}} : Measurement();
        });
    return tuned.best ? *sweep.costs.at(*tuned.best) : INFINITY;
  };
}

double searchByDlib(const Sweep &sweep, const PointSet &points, size_t trials, uint64_t seed) {
  double best = INFINITY;
  std::unique_ptr<Strategy> search = makeDlibSearch(points, seed);
  for (size_t trial = 0; trial < trials; ++trial)
    if (auto number = search->next()) {
      Cost cost = sweep.costs.at(points[*number]);
      search->told(*number, cost);
      best = std::min(best, cost.value_or(INFINITY));
    }
  return best;
}

/// The median over seeds of optimum by found, after `part` of the points.
double reached(const Sweep &sweep, const PointSet &points, const Search &search, double part, double optimum) {
  constexpr unsigned seeds = 20;
  std::vector<double> fractions;
  for (uint64_t seed = 1; seed <= seeds; ++seed)
    fractions.push_back(optimum /
                        search(sweep, points, static_cast<size_t>(part * static_cast<double>(points.size())), seed));
  llvm::sort(fractions);
  return (fractions[seeds / 2 - 1] + fractions[seeds / 2]) / 2;
}

void benchSearch(const Sweep &sweep) {
  std::vector<Point> rows;
  for (const auto &[point, cost] : sweep.costs)
    rows.push_back(point);
  PointSet points = PointSet::these(sweep.space, rows);
  double optimum = INFINITY;
  size_t failed = 0;
  for (const auto &[point, cost] : sweep.costs) {
    optimum = std::min(optimum, cost.value_or(INFINITY));
    failed += !cost;
  }
  llvm::outs() << llvm::format("tune: %-24s %6zu points, %zu fail; of the optimum after 5 %%:", sweep.name.c_str(),
                               points.size(), failed);
  std::vector<std::pair<std::string, Search>> searches = {{"model", searchOf(StrategyKind::Model)}};
  if (sweep.features)
    searches.push_back({"(without features)", searchOf(StrategyKind::Model, /*hasFeatures=*/false)});
  searches.push_back({"local", searchOf(StrategyKind::Local)});
  searches.push_back({"random", searchOf(StrategyKind::Random)});
  if (makeDlibSearch(points, 1))
    searches.push_back({"dlib", searchByDlib});
  for (const auto &[name, search] : searches) {
    llvm::outs() << llvm::format("  %s %.1f %%", name.c_str(), 100 * reached(sweep, points, search, 0.05, optimum));
    llvm::outs().flush();
  }
  llvm::outs() << "   (median of 20 seeds)\n";
  llvm::outs().flush();
}

} // namespace

void benchTune() {
  benchEnumerating("matmul of 1024, divisors and bytes", matmulSpace(1024));
  benchEnumerating("matmul of 5040, divisors and bytes", matmulSpace(5040));
  for (unsigned i = 1; i <= 4; ++i)
    benchSearch(formula(("formula " + std::to_string(i)).c_str(), i));
  std::error_code error;
  std::vector<std::string> tables;
  for (llvm::sys::fs::directory_iterator it(FUSELAGE_SOURCE_DIR "/tests/bench/sweeps", error), end; !error && it != end;
       it.increment(error))
    if (llvm::StringRef(it->path()).ends_with(tableEnding))
      tables.push_back(it->path());
  llvm::sort(tables);
  for (const std::string &table : tables)
    if (auto sweep = recorded(table))
      benchSearch(*sweep);
}

} // namespace fuselage::bench
