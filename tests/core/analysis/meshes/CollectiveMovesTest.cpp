// Moves of collectives that are offered keep what every device computes: on random programs, beside a simulation of the
// devices in exact arithmetic.
#include "core/analysis/meshes/CollectiveMoves.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/support/Error.h"
#include "tests/core/analysis/meshes/DeviceSimulation.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace fuselage;
using namespace fuselage::simulation;

namespace {

constexpr int64_t size = 4; ///< of what a device sends, in both dimensions; devices are 2 x 2

/// What another input of an elementwise op is.
enum class Input { Splat, Same, AlongX, AlongAll, RowSame, ColumnSame, RowAlongY, Value, Count };

/// The other input on a device: rows x columns, broadcast.
double elementOf(Input input, int64_t device, int64_t row, int64_t column) {
  const int64_t x = device / 2, y = device % 2;
  switch (input) {
  case Input::Splat:
    return 3;
  case Input::Same:
    return double((row * 5 + column * 3) % 7 - 3);
  case Input::AlongX:
    return double((row * 3 + column + 5 * x) % 7 - 2);
  case Input::AlongAll:
    return double((row + column * 2 + 3 * device) % 5 - 1);
  case Input::RowSame:
    return double(column % 5 - 2);
  case Input::ColumnSame:
    return double((row * 2) % 5 - 1);
  case Input::RowAlongY:
    return double((column + 3 * y) % 5 - 1);
  default:
    return 0;
  }
}

struct Elementwise {
  size_t op;
  Input input;
  bool isTransposed = false; ///< it reads the value through (d0, d1) -> (d1, d0)

  double apply(double x, int64_t device, int64_t row, int64_t column) const {
    return arithmetic[op].compute(x, input == Input::Value ? x : elementOf(input, device, row, column));
  }
};

/// `row`, `column` of the other input: those of the loops, or 0 in dimensions that the input must not depend on.
OnDevices run(const Elementwise &op, const OnDevices &values, bool pinRow = false, bool pinColumn = false) {
  OnDevices results = op.isTransposed ? transposed(values) : values;
  for (size_t device = 0; device < results.size(); ++device)
    for (int64_t row = 0; row < results[device].rows; ++row)
      for (int64_t column = 0; column < results[device].columns; ++column)
        results[device].at(row, column) =
            op.apply(results[device].at(row, column), int64_t(device), pinRow ? 0 : row, pinColumn ? 0 : column);
  return results;
}

struct Program {
  Elementwise before, after;
  CollectiveOp collective;
};

/// Text of an argument of the manual computation: its type on a device, the type outside, and its sharding.
struct Argument {
  std::string local, whole, sharding;
};

Argument argumentOf(Input input, int64_t rows, int64_t columns) {
  auto matrix = [&](int64_t times) { return llvm::formatv("tensor<{0}x{1}xf32>", rows * times, columns).str(); };
  auto vector = [](int64_t length) { return llvm::formatv("tensor<{0}xf32>", length).str(); };
  switch (input) {
  case Input::AlongX:
    return {matrix(1), matrix(2), "[{\"x\"}, {}]"};
  case Input::AlongAll:
    return {matrix(1), matrix(4), "[{\"x\", \"y\"}, {}]"};
  case Input::RowSame:
    return {vector(columns), vector(columns), "[{}]"};
  case Input::ColumnSame:
    return {vector(rows), vector(rows), "[{}]"};
  case Input::RowAlongY:
    return {vector(columns), vector(2 * columns), "[{\"y\"}]"};
  default:
    return {matrix(1), matrix(1), "[{}, {}]"};
  }
}

std::string mapOf(Input input) {
  return input == Input::RowSame || input == Input::RowAlongY ? "#row" : input == Input::ColumnSame ? "#column" : "#id";
}

std::string groupsText(const Groups &groups) {
  std::string text = "dense<[";
  for (const std::vector<int64_t> &group : groups) {
    text += text.back() == '[' ? "[" : ", [";
    for (int64_t device : group)
      text += (text.back() == '[' ? "" : ", ") + std::to_string(device);
    text += "]";
  }
  return text + llvm::formatv("]> : tensor<{0}x{1}xi64>", groups.size(), groups[0].size()).str();
}

std::string collectiveText(const CollectiveOp &op, const std::string &from, const std::string &to) {
  std::string pairs = "dense<[";
  for (auto [source, target] : op.pairs)
    pairs += (pairs.back() == '[' ? "[" : ", [") + std::to_string(source) + ", " + std::to_string(target) + "]";
  pairs += llvm::formatv("]> : tensor<{0}x2xi64>", op.pairs.size()).str();
  const std::string groups = op.groups.empty() ? "" : groupsText(op.groups);
  const char *reducer = op.reduction == '+' ? "add" : op.reduction == '>' ? "maximum" : "minimum";
  const std::string body = llvm::formatv("({{\n^bb0(%l: tensor<f32>, %m: tensor<f32>):\n %n = stablehlo.{0} %l, %m : "
                                         "tensor<f32>\n stablehlo.return %n : tensor<f32>\n}) ",
                                         reducer);
  switch (op.kind) {
  case CollectiveOp::AllReduce:
    return llvm::formatv("\"stablehlo.all_reduce\"(%p) <{{replica_groups = {0}}> {1}: ({2}) -> {3}", groups, body, from,
                         to);
  case CollectiveOp::AllGather:
    return llvm::formatv(
        "\"stablehlo.all_gather\"(%p) <{{all_gather_dim = {1} : i64, replica_groups = {0}}> : ({2}) -> {3}", groups,
        op.dim, from, to);
  case CollectiveOp::ReduceScatter:
    return llvm::formatv(
        "\"stablehlo.reduce_scatter\"(%p) <{{replica_groups = {0}, scatter_dimension = {4} : i64}> {1}: ({2}) -> {3}",
        groups, body, from, to, op.dim);
  case CollectiveOp::AllToAll:
    return llvm::formatv(
        "\"stablehlo.all_to_all\"(%p) <{{concat_dimension = {1} : i64, replica_groups = {0}, split_count "
        "= {5} : i64, split_dimension = {4} : i64}> : ({2}) -> {3}",
        groups, op.dim, from, to, op.splitDim, op.groups[0].size());
  default:
    return llvm::formatv("\"stablehlo.collective_permute\"(%p) <{{source_target_pairs = {0}}> : ({1}) -> {2}", pairs,
                         from, to);
  }
}

std::string elementwiseText(const Elementwise &op, const std::string &result, const std::string &value,
                            const std::string &other, const std::string &from, const std::string &otherType,
                            const std::string &to) {
  return llvm::formatv(
      "{0} = linalg.generic {{indexing_maps = [{1}, {2}, #id], iterator_types = [\"parallel\", \"parallel\"]} ins({3}, "
      "{4} : {5}, {6}) outs({0}_init : {7}) {{\n^bb0(%x: f32, %o: f32, %u: f32):\n {8}\n linalg.yield %r : f32\n} -> "
      "{7}\n",
      result, op.isTransposed ? "#turned" : "#id",
      op.input == Input::Value && op.isTransposed ? "#turned" : mapOf(op.input), value,
      op.input == Input::Value ? value : other, from, op.input == Input::Value ? from : otherType, to,
      arithmetic[op.op].mlir);
}

std::string textOf(const Program &program, const Matrix &sent, const Matrix &given) {
  auto typeOf = [](int64_t rows, int64_t columns) { return llvm::formatv("tensor<{0}x{1}xf32>", rows, columns).str(); };
  const std::string from = typeOf(sent.rows, sent.columns), to = typeOf(given.rows, given.columns);
  const bool isTransposed = program.after.isTransposed;
  const std::string end = isTransposed ? typeOf(given.columns, given.rows) : to;
  const Argument before = argumentOf(program.before.input, sent.rows, sent.columns);
  const Argument after = argumentOf(program.after.input, isTransposed ? given.columns : given.rows,
                                    isTransposed ? given.rows : given.columns);
  const Argument value = argumentOf(Input::AlongAll, sent.rows, sent.columns);
  std::string text = R"(#id = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d1)>
#column = affine_map<(d0, d1) -> (d0)>
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=2]>
)";
  text += llvm::formatv("func.func @main(%a: {0}, %b: {1}, %c: {2}) -> {3} {{\n", value.whole, before.whole,
                        after.whole, end);
  text +=
      llvm::formatv("%w = sdy.manual_computation(%a, %b, %c) in_shardings=[<@mesh, {0}>, <@mesh, {1}>, <@mesh, {2}>] "
                    "out_shardings=[<@mesh, [{{}, {{}]>] manual_axes={{\"x\", \"y\"} (%v: {3}, %f: {4}, %g: {5}) {{\n",
                    value.sharding, before.sharding, after.sharding, value.local, before.local, after.local);
  text += "%two = arith.constant 2.0 : f32\n%minus = arith.constant -3.0 : f32\n%zero = arith.constant 0.0 : f32\n";
  text += llvm::formatv("%s = arith.constant dense<3.0> : {0}\n%t = arith.constant dense<3.0> : {1}\n", from, end);
  text += llvm::formatv("%p_init = tensor.empty() : {0}\n%e_init = tensor.empty() : {1}\n", from, end);
  text += elementwiseText(program.before, "%p", "%v", program.before.input == Input::Splat ? "%s" : "%f", from,
                          before.local, from);
  text += "%y = " + collectiveText(program.collective, from, to) + "\n";
  text += elementwiseText(program.after, "%e", "%y", program.after.input == Input::Splat ? "%t" : "%g", to, after.local,
                          end);
  return text + llvm::formatv("sdy.return %e : {0}\n} : ({1}, {2}, {3}) -> {0}\nreturn %w : {0}\n}\n}\n", end,
                              value.whole, before.whole, after.whole)
                    .str();
}

class MovesOfPrograms : public testing::Test {
protected:
  int64_t pick(int64_t below) { return int64_t(random_() % uint32_t(below)); }

  Elementwise elementwise() {
    return {.op = size_t(pick(int64_t(arithmetic.size()))),
            .input = Input(pick(int64_t(Input::Count))),
            .isTransposed = pick(4) == 0};
  }

  Program program() {
    Program result{.before = elementwise(), .after = elementwise(), .collective = {}};
    CollectiveOp &op = result.collective;
    op.kind = CollectiveOp::Kind(pick(CollectiveOp::KindCount));
    op.reduction = "++><"[pick(4)];
    op.dim = int(pick(2));
    op.splitDim = int(pick(2));
    const Groups all[] = {{{0, 2}, {1, 3}}, {{0, 1}, {2, 3}}, {{0, 1, 2, 3}}};
    if (op.kind != CollectiveOp::Permute) {
      op.groups = all[pick(3)];
      return result;
    }
    const std::vector<std::pair<int64_t, int64_t>> some[] = {
        {{0, 1}, {1, 0}, {2, 3}, {3, 2}}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {{0, 1}, {2, 3}}, {{0, 2}, {2, 0}, {1, 1}}};
    op.pairs = some[pick(4)];
    return result;
  }

  OnDevices values() {
    OnDevices result(4);
    for (Matrix &matrix : result) {
      matrix = {.rows = size, .columns = size, .data = {}};
      for (int64_t element = 0; element < size * size; ++element)
        matrix.data.push_back(double(pick(15) - 7));
    }
    return result;
  }

  std::mt19937 random_{5};
};

bool changes(const CollectiveOp &op, int dim) {
  const bool isMove = op.kind == CollectiveOp::AllGather || op.kind == CollectiveOp::ReduceScatter;
  return (isMove && op.dim == dim) || (op.kind == CollectiveOp::AllToAll && (op.dim == dim || op.splitDim == dim));
}

/// What the devices compute if the collective comes after the second op.
OnDevices movedDown(const Program &program, const OnDevices &values) {
  const CollectiveOp op = program.after.isTransposed ? transposed(program.collective) : program.collective;
  return run(op, run(program.after, run(program.before, values), changes(op, 0), changes(op, 1)));
}

OnDevices movedUp(const Program &program, const OnDevices &values) {
  const CollectiveOp &op = program.collective;
  const OnDevices given = run(program.before.isTransposed ? transposed(op) : op, values);
  return run(program.after, run(program.before, given, changes(op, 0), changes(op, 1)));
}

} // namespace

TEST_F(MovesOfPrograms, KeepWhatDevicesCompute) {
  std::map<std::pair<int, bool>, unsigned> allowed; // by kind and direction
  unsigned refused = 0, refusedAndSame = 0;
  Session session(allDialects());
  for (int round = 0; round < 3000; ++round) {
    const Program each = program();
    const OnDevices start = values(), sent = run(each.before, start), given = run(each.collective, sent);
    const OnDevices expected = run(each.after, given);
    const std::string text = textOf(each, sent[0], given[0]);
    auto read = session.readText(text, "program");
    ASSERT_TRUE(bool(read)) << takeFailure(read.takeError()).message << text;
    ASSERT_EQ(read->gaps, 0u) << text;
    CollectiveMoves moves(*read->module);
    read->module->walk([&](mlir::Operation *op) {
      std::optional<Collective> collective = readCollective(op);
      if (!collective)
        return;
      ASSERT_EQ(collective->problem, "") << text;
      for (const CollectiveMove &move : moves.find(*collective)) {
        const OnDevices result = move.isDown ? movedDown(each, start) : movedUp(each, start);
        if (move.isAllowed) {
          ++allowed[{each.collective.kind, move.isDown}];
          EXPECT_EQ(result, expected) << describeMove(move, displayName) << "\n" << text;
        } else {
          EXPECT_NE(move.why, "");
          ++refused;
          refusedAndSame += result == expected;
        }
      }
    });
    if (HasFailure())
      return;
  }
  for (int kind = 0; kind < CollectiveOp::KindCount; ++kind)
    for (bool isDown : {false, true}) {
      EXPECT_GT((allowed[{kind, isDown}]), 20u) << kind << (isDown ? " down" : " up");
      RecordProperty("allowed_" + std::to_string(kind) + (isDown ? "_down" : "_up"), int(allowed[{kind, isDown}]));
    }
  // Not all that is refused is wrong, but most is.
  EXPECT_LT(refusedAndSame * 3, refused);
  std::printf("refused: %u, of which %u compute the same\n", refused, refusedAndSame);
}
