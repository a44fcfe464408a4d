// Operands, buffers and moves of a report that are the same but for where they are.
#include "core/analysis/buffers/BuffersReport.h"
#include "core/ir/layers/EqualOps.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What makes two of them the same: numbers and texts, in a fixed order.
using Key = std::pair<std::vector<int64_t>, std::vector<std::string>>;

class Grouper {
public:
  Grouper(BuffersReport &report, llvm::ArrayRef<Operation *> ops) : report_(report), ops_(ops) {}
  void run();

private:
  enum class What { Operand, Buffer, Move };
  int64_t formOf(OpId op);
  int64_t aroundOf(OpId op);
  int64_t functionOf(Operation *function);
  Key keyOf(const BufferOperandReport &operand);
  Key keyOf(const BufferReport &buffer);
  Key keyOf(const BufferMoveReport &move);
  BufferBytes sizeOf(const BufferOperandReport &operand) const;
  template <class Row>
  void add(std::vector<Row> &rows, message::Numbers<message::StdTypes> BufferGroupReport::*list, What what);
  void sort();

  BuffersReport &report_;
  llvm::ArrayRef<Operation *> ops_;
  EqualOps equal_;
  llvm::DenseMap<Operation *, int64_t> functions_;
  std::map<std::vector<int64_t>, int64_t> dispatches_; ///< numbers by the ops in them
  std::map<Key, int> groups_;
};

} // namespace

/// Functions and modules are places, and equal to nothing but themselves.
int64_t Grouper::formOf(OpId op) {
  if (op < 0 || op >= OpId(ops_.size()))
    return -1;
  return isa<FunctionOpInterface, ModuleOp>(ops_[op]) ? -2 : static_cast<int64_t>(equal_.of(ops_[op]));
}

/// Dispatches of equal ops count as one; any other function is one of its own.
int64_t Grouper::functionOf(Operation *function) {
  auto [known, isNew] = functions_.try_emplace(function, -1 - static_cast<int64_t>(functions_.size()));
  auto dispatch = dyn_cast_if_present<func::FuncOp>(function);
  if (!isNew || !dispatch || !isDispatch(dispatch))
    return known->second;
  std::vector<int64_t> forms;
  for (Operation &op : dispatch.getBody().getOps())
    forms.push_back(equal_.of(&op));
  return known->second =
             dispatches_.try_emplace(std::move(forms), static_cast<int64_t>(dispatches_.size())).first->second;
}

/// What an op is in: an equal op, or else the function.
int64_t Grouper::aroundOf(OpId op) {
  if (op < 0 || op >= OpId(ops_.size()))
    return INT64_MIN;
  Operation *around = isa<FunctionOpInterface>(ops_[op]) ? ops_[op] : ops_[op]->getParentOp();
  if (!around || isa<FunctionOpInterface, ModuleOp>(around))
    return functionOf(around);
  auto function = around->getParentOfType<FunctionOpInterface>();
  return function ? functionOf(function) * int64_t(ops_.size()) + equal_.of(around) : INT64_MIN;
}

BufferBytes Grouper::sizeOf(const BufferOperandReport &operand) const {
  return operand.buffer < 0 ? BufferBytes() : report_.buffers[operand.buffer].size;
}

Key Grouper::keyOf(const BufferOperandReport &operand) {
  const OperandDecision &decision = operand.decision;
  const ConflictPlaces &conflict = decision.conflict;
  BufferBytes size = sizeOf(operand);
  return {{formOf(decision.place.op), aroundOf(decision.place.op), decision.place.operand, decision.inPlace,
           decision.reads, decision.writes, static_cast<int64_t>(decision.reason), formOf(conflict.read.op),
           conflict.read.operand, formOf(conflict.write.op), conflict.write.operand, formOf(conflict.definition),
           conflict.result, conflict.argument >= 0, operand.buffer >= 0, size.bytes, size.lowerBound},
          {operand.type, operand.buffer < 0 ? "" : report_.buffers[operand.buffer].kind}};
}

Key Grouper::keyOf(const BufferReport &buffer) {
  return {{formOf(buffer.op), aroundOf(buffer.op), buffer.operand, buffer.argument >= 0,
           static_cast<int64_t>(buffer.reason), buffer.size.bytes, buffer.size.lowerBound, buffer.isFreed,
           buffer.escapes},
          {buffer.kind, buffer.type, buffer.space}};
}

Key Grouper::keyOf(const BufferMoveReport &move) {
  return {{formOf(move.op), aroundOf(move.op), formOf(move.reader), formOf(move.writer), !move.source.empty(),
           static_cast<int64_t>(move.reason), move.size.bytes, move.size.lowerBound, move.remains},
          {}};
}

template <class Row>
void Grouper::add(std::vector<Row> &rows, message::Numbers<message::StdTypes> BufferGroupReport::*list, What what) {
  for (auto [index, row] : llvm::enumerate(rows)) {
    Key key = keyOf(row);
    key.first.push_back(static_cast<int64_t>(what));
    auto [place, isNew] = groups_.try_emplace(std::move(key), static_cast<int>(report_.groups.size()));
    if (isNew)
      report_.groups.emplace_back();
    row.group = place->second;
    BufferGroupReport &group = report_.groups[row.group];
    (group.*list).push_back(static_cast<int64_t>(index));
    BufferBytes size;
    if constexpr (std::is_same_v<Row, BufferOperandReport>)
      size = sizeOf(row);
    else
      size = row.size;
    group.size.bytes += size.bytes;
    group.size.lowerBound |= size.lowerBound;
  }
}

/// What takes most comes first.
void Grouper::sort() {
  std::vector<int> order(report_.groups.size()), places(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<int>(i);
  llvm::stable_sort(order, [&](int a, int b) { return report_.groups[a].size.bytes > report_.groups[b].size.bytes; });
  std::vector<BufferGroupReport> groups;
  for (auto [place, group] : llvm::enumerate(order)) {
    groups.push_back(std::move(report_.groups[group]));
    places[group] = static_cast<int>(place);
  }
  report_.groups = std::move(groups);
  auto renumber = [&](auto &rows) {
    for (auto &row : rows)
      row.group = places[row.group];
  };
  renumber(report_.operands);
  renumber(report_.buffers);
  renumber(report_.moves);
}

void Grouper::run() {
  add(report_.operands, &BufferGroupReport::operands, What::Operand);
  add(report_.buffers, &BufferGroupReport::buffers, What::Buffer);
  add(report_.moves, &BufferGroupReport::moves, What::Move);
  sort();
}

void groupBuffers(BuffersReport &report, llvm::ArrayRef<Operation *> ops) { Grouper(report, ops).run(); }

} // namespace fuselage
