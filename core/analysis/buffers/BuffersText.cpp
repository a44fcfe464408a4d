#include "core/analysis/buffers/BuffersReport.h"
#include "core/ir/Session.h"
#include "core/support/Units.h"
#include "core/text/PlaceList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace fuselage {
namespace {

using Row = std::vector<std::string>;

class Writer {
public:
  Writer(const BuffersReport &report, llvm::function_ref<Diagnostic(OpId)> placeOf, bool flat)
      : report_(report), placeOf_(placeOf), flat_(flat) {}
  std::string write();

private:
  Diagnostic at(OpId op, Diagnostic::Severity severity, const llvm::Twine &message) const;
  std::string nameOf(OpId op) const;
  std::string nameOf(const OperandPlace &place) const;
  std::string lineOf(OpId op) const;
  void writeSummary();
  /// A row of a table, or a remark: for itself, or with those that are the same but for where they are.
  struct Shown {
    size_t index = 0;
    const message::Numbers<message::StdTypes> *all = nullptr; ///< indices; null: itself alone
    BufferBytes total{};
  };
  using List = message::Numbers<message::StdTypes> BufferGroupReport::*;
  std::vector<Shown> shownOf(List list, size_t count) const;
  template <class Rows> std::string placesOf(const Shown &shown, const Rows &rows) const;
  template <class Rows> Row groupCells(const Shown &shown, const Rows &rows) const;
  bool anyGroup(List list) const;
  void writeOperand(const BufferOperandReport &operand, const Shown &shown);
  void writeMoves();
  void writeExplicitCopies();
  void writeBuffers();
  void writePeaks();
  void writeTable(const std::string &title, const std::vector<Row> &rows);

  const BuffersReport &report_;
  llvm::function_ref<Diagnostic(OpId)> placeOf_;
  bool flat_;
  std::string text_;
};

OpId opOf(const BufferOperandReport &operand) { return operand.decision.place.op; }
OpId opOf(const BufferReport &buffer) { return buffer.op; }
OpId opOf(const BufferMoveReport &move) { return move.op; }

/// What takes most comes first; if each is listed, or no two are the same, in program order.
std::vector<Writer::Shown> Writer::shownOf(List list, size_t count) const {
  std::vector<Shown> rows;
  if (!anyGroup(list))
    for (size_t index = 0; index < count; ++index)
      rows.push_back({.index = index});
  else
    for (const BufferGroupReport &group : report_.groups)
      if (const auto &all = group.*list; !all.empty())
        rows.push_back({.index = size_t(all.front()), .all = all.size() > 1 ? &all : nullptr, .total = group.size});
  return rows;
}

bool Writer::anyGroup(List list) const {
  return !flat_ &&
         llvm::any_of(report_.groups, [&](const BufferGroupReport &group) { return (group.*list).size() > 1; });
}

/// "layer 1 to 12", or lines.
template <class Rows> std::string Writer::placesOf(const Shown &shown, const Rows &rows) const {
  constexpr size_t most = 4;
  std::vector<std::string> names;
  for (int64_t index : *shown.all) {
    if constexpr (std::is_same_v<Rows, std::vector<BufferReport>>)
      if (rows[index].argument >= 0) {
        names.push_back("argument " + std::to_string(rows[index].argument));
        continue;
      }
    OpId op = opOf(rows[index]);
    auto known = report_.ops.find(op);
    bool isInLayer = known != report_.ops.end() && !known->second.layer.empty();
    names.push_back(isInLayer ? known->second.layer : "line " + lineOf(op));
  }
  return placeList(names, most);
}

/// How many, what they take together, and where they are.
template <class Rows> Row Writer::groupCells(const Shown &shown, const Rows &rows) const {
  if (!shown.all)
    return {"", "", ""};
  return {"x" + std::to_string(shown.all->size()), formatBytes(shown.total), placesOf(shown, rows)};
}

std::string Writer::nameOf(OpId op) const {
  auto found = report_.ops.find(op);
  return found == report_.ops.end() ? "?" : found->second.name;
}

std::string Writer::nameOf(const OperandPlace &place) const {
  return llvm::formatv("operand {0} of {1}", place.operand, nameOf(place.op)).str();
}

std::string Writer::lineOf(OpId op) const {
  unsigned line = op < 0 ? 0 : placeOf_(op).line;
  return line ? std::to_string(line) : "?";
}

Diagnostic Writer::at(OpId op, Diagnostic::Severity severity, const llvm::Twine &message) const {
  Diagnostic diagnostic = op < 0 ? Diagnostic() : placeOf_(op);
  diagnostic.severity = severity;
  diagnostic.message = message.str();
  return diagnostic;
}

std::string countOf(size_t count, llvm::StringRef one, llvm::StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

void Writer::writeSummary() {
  for (const BufferProblem &problem : report_.problems)
    text_ +=
        formatWithCaret(at(problem.op, Diagnostic::Severity::Warning, "cannot be bufferized: " + problem.message)) +
        '\n';
  if (!report_.hasTensors && report_.buffers.empty()) {
    text_ += "no tensors and no buffers\n";
    return;
  }
  if (report_.hasTensors) {
    size_t outOfPlace = llvm::count_if(report_.operands, [](const auto &operand) { return !operand.decision.inPlace; });
    size_t copies = llvm::count_if(report_.buffers, [](const auto &buffer) { return buffer.kind == "copy"; });
    text_ += countOf(report_.operands.size(), "tensor operand", "tensor operands") + ", " + std::to_string(outOfPlace) +
             " out of place; " + countOf(copies, "inserted copy", "inserted copies") + ", " +
             formatBytes(report_.copiedBytes()) + " copied in all";
  } else {
    text_ += countOf(report_.buffers.size(), "buffer", "buffers");
    if (!report_.moves.empty())
      text_ += ", " + countOf(report_.moves.size(), "copy", "copies") + ", " + formatBytes(report_.copiedBytes()) +
               " copied in all";
  }
  text_ += "; peak memory";
  auto peaks = report_.largestPeaks();
  if (peaks.empty())
    text_ += " 0 B";
  for (const auto &[space, size] : peaks)
    text_ += (space == peaks.begin()->first ? " " : ", ") + formatBytes(size) + " " + space;
  for (const auto &[name, size] : report_.sizes)
    text_ += (name == report_.sizes.begin()->first ? "; with " : ", ") + name + " = " + std::to_string(size);
  text_ += '\n';
}

void Writer::writeOperand(const BufferOperandReport &operand, const Shown &shown) {
  using Severity = Diagnostic::Severity;
  const OperandDecision &decision = operand.decision;
  const ConflictPlaces &conflict = decision.conflict;
  const BufferReasonInfo &reason = infoOf(decision.reason);
  const BufferReport &buffer = report_.buffers[operand.buffer];
  std::string cost = (buffer.kind == "copy" ? "copy of " : "new buffer of ") + formatBytes(buffer.size);
  Diagnostic remark = at(decision.place.op, Severity::Remark,
                         cost + " for " + nameOf(decision.place) + " (" + operand.value + "): " + reason.sentence +
                             " [" + reason.code + "]");
  if (conflict.read.op >= 0)
    remark.notes.push_back(
        at(conflict.read.op, Severity::Note, "read: " + nameOf(conflict.read) + " needs what was there"));
  if (conflict.write.op >= 0)
    remark.notes.push_back(at(conflict.write.op, Severity::Note,
                              "conflicting write: in place, " + nameOf(conflict.write) + " would " +
                                  (conflict.read.op >= 0 ? "overwrite it" : "be written to")));
  if (conflict.definition >= 0) {
    std::string value =
        conflict.result >= 0
            ? llvm::formatv("result {0} of {1}", conflict.result, nameOf(conflict.definition)).str()
            : llvm::formatv("argument {0} of {1}", conflict.argument, nameOf(conflict.definition)).str();
    remark.notes.push_back(at(conflict.definition, Severity::Note,
                              (conflict.read.op >= 0 ? "last write: it is " : "whose buffer it is: ") + value));
  }
  if (shown.all)
    remark.notes.push_back(at(decision.place.op, Severity::Note,
                              "the same in " + std::to_string(shown.all->size()) + " places, " +
                                  formatBytes(shown.total) + " in all: " + placesOf(shown, report_.operands)));
  text_ += '\n' + formatWithCaret(remark) + '\n';
}

/// Columns as wide as they need to be, without empty ones; the first holds numbers.
void Writer::writeTable(const std::string &title, const std::vector<Row> &rows) {
  if (rows.size() < 2)
    return;
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row &row : rows)
    for (size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  text_ += '\n' + title + '\n';
  for (const Row &row : rows) {
    std::string line = " ";
    for (size_t column = 0; column < row.size(); ++column) {
      if (widths[column] == 0)
        continue;
      std::string padding(widths[column] - row[column].size(), ' ');
      line += ' ' + (column == 0 ? padding + row[column] : row[column] + padding) + ' ';
    }
    text_ += llvm::StringRef(line).rtrim().str() + '\n';
  }
}

/// The titles of groupCells().
Row groupTitles(bool anyGroup) { return anyGroup ? Row{"times", "total", "in"} : Row{"", "", ""}; }

void Writer::writeMoves() {
  Row titles = groupTitles(anyGroup(&BufferGroupReport::moves));
  std::vector<Row> rows{{"bytes", titles[0], titles[1], "line", "op", "reason", titles[2]}};
  for (const Shown &row : shownOf(&BufferGroupReport::moves, report_.moves.size())) {
    const BufferMoveReport &move = report_.moves[row.index];
    Row group = groupCells(row, report_.moves);
    if (move.remains && move.source.empty())
      rows.push_back({formatBytes(move.size), group[0], group[1], lineOf(move.op), nameOf(move.op),
                      infoOf(move.reason).code.str(), group[2]});
  }
  writeTable("Copies that ops ask for:", rows);
}

void Writer::writeExplicitCopies() {
  auto place = [&](OpId op) { return op < 0 ? "-" : nameOf(op) + ", line " + lineOf(op); };
  Row titles = groupTitles(anyGroup(&BufferGroupReport::moves));
  std::vector<Row> rows{
      {"bytes", titles[0], titles[1], "line", "op", "copy", "read by", "overwritten by", "reason", titles[2]}};
  std::set<BufferReason> reasons;
  for (const Shown &row : shownOf(&BufferGroupReport::moves, report_.moves.size())) {
    const BufferMoveReport &move = report_.moves[row.index];
    if (move.source.empty())
      continue;
    Row group = groupCells(row, report_.moves);
    rows.push_back({formatBytes(move.size), group[0], group[1], lineOf(move.op), nameOf(move.op),
                    move.source + " to " + move.destination, place(move.reader), place(move.writer),
                    infoOf(move.reason).code.str(), group[2]});
    reasons.insert(move.reason);
  }
  writeTable("Copies of the program:", rows);
  for (BufferReason reason : reasons)
    text_ += "  " + infoOf(reason).code.str() + ": " + infoOf(reason).sentence.str() + '\n';
}

void Writer::writeBuffers() {
  Row titles = groupTitles(anyGroup(&BufferGroupReport::buffers));
  std::vector<Row> rows{
      {"bytes", titles[0], titles[1], "space", "kind", "lines", "function", "made for", "reason", titles[2]}};
  for (const Shown &row : shownOf(&BufferGroupReport::buffers, report_.buffers.size())) {
    const BufferReport &buffer = report_.buffers[row.index];
    std::string whose = nameOf(buffer.op);
    if (buffer.operand >= 0)
      whose = nameOf({.op = buffer.op, .operand = buffer.operand});
    else if (buffer.argument >= 0)
      whose = llvm::formatv("argument {0}", buffer.argument).str();
    Row group = groupCells(row, report_.buffers);
    rows.push_back({formatBytes(buffer.size), group[0], group[1], buffer.space, buffer.kind,
                    lineOf(buffer.first) + "-" + lineOf(buffer.last), buffer.function, whose,
                    infoOf(buffer.reason).code.str(), group[2]});
  }
  writeTable("Buffers, and the lines between which they live:", rows);
}

void Writer::writePeaks() {
  std::vector<Row> rows{{"bytes", "space", "function", "line"}};
  for (const BufferPeakReport &peak : report_.peaks)
    rows.push_back({formatBytes(peak.size), peak.space, peak.function, lineOf(peak.at)});
  writeTable("Peak memory, and the line where it is reached:", rows);
}

std::string Writer::write() {
  writeSummary();
  for (const Shown &row : shownOf(&BufferGroupReport::operands, report_.operands.size()))
    if (const BufferOperandReport &operand = report_.operands[row.index]; operand.buffer >= 0)
      writeOperand(operand, row);
  writeMoves();
  writeExplicitCopies();
  writeBuffers();
  writePeaks();
  if (anyGroup(&BufferGroupReport::buffers) || anyGroup(&BufferGroupReport::moves))
    text_ += "\nA row with a count stands for as many that are the same but for where they are; it names the first. "
             "--flat lists each.\n";
  return std::move(text_);
}

} // namespace

std::string formatBytes(const BufferBytes &size) {
  if (size.lowerBound && size.bytes == 0)
    return "? B";
  Quantity quantity = inUnits(static_cast<double>(size.bytes), 1024, kByteUnits);
  bool isWhole = quantity.value == static_cast<double>(static_cast<int64_t>(quantity.value));
  std::string text = llvm::formatv(isWhole ? "{0:f0} {1}" : "{0:f1} {1}", quantity.value, quantity.unit).str();
  return size.lowerBound ? ">= " + text : text;
}

std::string formatBuffers(const BuffersReport &report, llvm::function_ref<Diagnostic(OpId)> placeOf, bool flat) {
  return Writer(report, placeOf, flat).write();
}

} // namespace fuselage
