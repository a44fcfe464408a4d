// Rewrites of scf ops.
#include "core/ir/source/LegacyOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

namespace fuselage::legacy {

static bool isInParallel(const OpText &op) {
  return op.parentName() == "scf.parallel" || op.parentName() == "loop.parallel";
}

/// `scf.reduce(%x) : T` as it was until the op became the terminator; those of the region that `op` is in, in order.
static SmallVector<int32_t> oldReductions(const OpText &op) {
  SmallVector<int32_t> found;
  auto ops = op.scan().ops();
  for (int32_t i = op.op().parent + 1; i < static_cast<int32_t>(ops.size()) && ops[i].begin < ops[op.op().parent].end;
       ++i)
    if (ops[i].parent == op.op().parent && op.scan().nameOf(ops[i]).ends_with(".reduce"))
      found.push_back(i);
  return found;
}

bool parallelYield(const OpText &op, SourceEdits &edits) {
  if (!isInParallel(op) || !op.rest().trim().empty())
    return false;
  if (oldReductions(op).empty())
    op.rename(edits, "scf.reduce");
  else
    edits.erase(op.op().begin, op.endOf(op.rest()));
  return true;
}

bool reduce(const OpText &op, SourceEdits &edits) {
  StringRef header = op.header();
  StringRef operand = insideBrackets(header.ltrim());
  if (!isInParallel(op) || !op.op().hasRegion || !operand.data() || operand.contains(':') || !op.hasTypes())
    return false;
  SmallVector<int32_t> all = oldReductions(op);
  if (all.front() != op.index()) { // a further region of the first
    edits.replace(op.op().begin, op.endOf(header), ", ");
    return true;
  }
  SmallVector<StringRef> operands, types;
  for (int32_t index : all) {
    OpText other(op.scan(), index);
    bool isNext = operands.empty() || op.scan().previousSibling(index) == all[operands.size() - 1];
    if (!isNext || !other.op().hasRegion)
      return false;
    operands.push_back(insideBrackets(other.header().ltrim()).trim());
    types.push_back(StringRef(other.types().data(), other.header().end() - other.types().data()).trim());
  }
  edits.replace(op.offsetOf(operand), op.endOf(header),
                llvm::join(operands, ", ") + " : " + llvm::join(types, ", ") + ") ");
  op.rename(edits, "scf.reduce");
  return true;
}

/// Where `into` stands in a slice that goes into `destination`.
static StringRef destinationOf(const OpText &slice) {
  size_t into = findOutsideBrackets(slice.head(), "into ");
  if (into == StringRef::npos)
    return {};
  StringRef text = slice.head().substr(into + 5).ltrim();
  return text.take_until([](char c) { return c == '[' || llvm::isSpace(c); });
}

bool foreachThread(const OpText &op, SourceEdits &edits) {
  StringRef header = op.header();
  size_t arrow = findOutsideBrackets(header, "->");
  if (header.contains("shared_outs") || arrow == StringRef::npos)
    return true;
  // The slices go into values of outside, in the order of the results.
  SmallVector<std::string> outputs;
  auto ops = op.scan().ops();
  for (size_t i = op.index() + 1; i < ops.size() && ops[i].begin < op.op().end; ++i) {
    if (!op.scan().nameOf(ops[i]).ends_with("parallel_insert_slice"))
      continue;
    OpText slice(op.scan(), static_cast<int32_t>(i));
    StringRef destination = destinationOf(slice);
    if (destination.empty())
      return false;
    std::string output = op.freshValue(outputs.size());
    edits.replace(op.offsetOf(destination), op.endOf(destination), output);
    outputs.push_back(output + " = " + destination.str());
  }
  edits.insert(op.op().nameEnd + arrow, "shared_outs(" + llvm::join(outputs, ", ") + ") ");
  return !outputs.empty();
}

} // namespace fuselage::legacy
