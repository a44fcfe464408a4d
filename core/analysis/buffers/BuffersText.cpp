#include "core/analysis/buffers/BuffersReport.h"
#include "core/ir/Session.h"
#include "core/support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

namespace fuselage {
namespace {

using Row = std::vector<std::string>;

class Writer {
public:
  Writer(const BuffersReport &report, llvm::function_ref<Diagnostic(OpId)> placeOf)
      : report_(report), placeOf_(placeOf) {}
  std::string write();

private:
  Diagnostic at(OpId op, Diagnostic::Severity severity, const llvm::Twine &message) const;
  std::string nameOf(OpId op) const;
  std::string nameOf(const OperandPlace &place) const;
  std::string lineOf(OpId op) const;
  void writeSummary();
  void writeOperand(const BufferOperandReport &operand);
  void writeMoves();
  void writeExplicitCopies();
  void writeBuffers();
  void writePeaks();
  void writeTable(const std::string &title, const std::vector<Row> &rows);

  const BuffersReport &report_;
  llvm::function_ref<Diagnostic(OpId)> placeOf_;
  std::string text_;
};

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

void Writer::writeOperand(const BufferOperandReport &operand) {
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
  text_ += '\n' + formatWithCaret(remark) + '\n';
}

/// Columns as wide as they need to be; the first holds numbers.
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
      std::string padding(widths[column] - row[column].size(), ' ');
      line += ' ' + (column == 0 ? padding + row[column] : row[column] + padding) + ' ';
    }
    text_ += llvm::StringRef(line).rtrim().str() + '\n';
  }
}

void Writer::writeMoves() {
  std::vector<Row> rows{{"bytes", "line", "op", "reason"}};
  for (const BufferMoveReport &move : report_.moves)
    if (move.remains && move.source.empty())
      rows.push_back({formatBytes(move.size), lineOf(move.op), nameOf(move.op), infoOf(move.reason).code.str()});
  writeTable("Copies that ops ask for:", rows);
}

void Writer::writeExplicitCopies() {
  auto place = [&](OpId op) { return op < 0 ? "-" : nameOf(op) + ", line " + lineOf(op); };
  std::vector<Row> rows{{"bytes", "line", "op", "copy", "read by", "overwritten by", "reason"}};
  std::set<BufferReason> reasons;
  for (const BufferMoveReport &move : report_.moves) {
    if (move.source.empty())
      continue;
    rows.push_back({formatBytes(move.size), lineOf(move.op), nameOf(move.op), move.source + " to " + move.destination,
                    place(move.reader), place(move.writer), infoOf(move.reason).code.str()});
    reasons.insert(move.reason);
  }
  writeTable("Copies of the program:", rows);
  for (BufferReason reason : reasons)
    text_ += "  " + infoOf(reason).code.str() + ": " + infoOf(reason).sentence.str() + '\n';
}

void Writer::writeBuffers() {
  std::vector<Row> rows{{"bytes", "space", "kind", "lines", "function", "made for", "reason"}};
  for (const BufferReport &buffer : report_.buffers) {
    std::string whose = nameOf(buffer.op);
    if (buffer.operand >= 0)
      whose = nameOf({.op = buffer.op, .operand = buffer.operand});
    else if (buffer.argument >= 0)
      whose = llvm::formatv("argument {0}", buffer.argument).str();
    rows.push_back({formatBytes(buffer.size), buffer.space, buffer.kind,
                    lineOf(buffer.first) + "-" + lineOf(buffer.last), buffer.function, whose,
                    infoOf(buffer.reason).code.str()});
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
  for (const BufferOperandReport &operand : report_.operands)
    if (operand.buffer >= 0)
      writeOperand(operand);
  writeMoves();
  writeExplicitCopies();
  writeBuffers();
  writePeaks();
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

std::string formatBuffers(const BuffersReport &report, llvm::function_ref<Diagnostic(OpId)> placeOf) {
  return Writer(report, placeOf).write();
}

} // namespace fuselage
