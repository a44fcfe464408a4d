#include "core/graph/compare/CompareDispatches.h"
#include "core/support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace fuselage {
namespace {

using message::DispatchRelation;
using Side = message::ComparedSide<>;

/// Widest text of a side's dispatches.
constexpr size_t mostOfNames = 52;

std::string bytesText(int64_t bytes, bool atMost) {
  return bytes < 0 ? "?" : (atMost ? "<=" : "") + binaryBytesText(double(bytes));
}

std::string flopsText(int64_t flops) {
  constexpr const char *units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};
  return quantityText(inUnits(double(flops), 1000, units), 1);
}

std::string padded(std::string text, size_t width, bool atRight = false) {
  if (text.size() < width)
    text.insert(atRight ? 0 : text.size(), width - text.size(), ' ');
  return text;
}

/// "matmul_128x768x768, 2 x add_128x768"
std::string namesOf(const Side &side, const std::vector<int> &dispatches) {
  std::vector<std::pair<std::string, unsigned>> names;
  for (int index : dispatches) {
    const std::string &name = side.dispatches[index].name;
    auto known = llvm::find_if(names, [&](const auto &other) { return other.first == name; });
    if (known == names.end())
      names.push_back({name, 1});
    else
      ++known->second;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[name, count] : names) {
    os << (text.empty() ? "" : ", ");
    if (count > 1)
      os << count << " x ";
    os << name;
  }
  if (text.size() > mostOfNames) {
    text.resize(mostOfNames - 3);
    text += "...";
  }
  return text.empty() ? "-" : text;
}

std::string bytesOf(const Side &side, const std::vector<int> &dispatches) {
  int64_t bytes = 0;
  bool atMost = false;
  for (int index : dispatches) {
    const message::ComparedDispatch<> &dispatch = side.dispatches[index];
    bytes = bytes < 0 || dispatch.bytes < 0 ? -1 : bytes + dispatch.bytes;
    atMost |= dispatch.bytesAtMost;
  }
  return dispatches.empty() ? "" : bytesText(bytes, atMost);
}

/// Of the dispatches of a row together; -1 where one was not timed.
double timeOf(const Side &side, const std::vector<int> &dispatches) {
  double us = 0;
  for (int index : dispatches)
    us = us < 0 || side.dispatches[index].us < 0 ? -1 : us + side.dispatches[index].us;
  return us;
}

std::string timeText(double us) { return us < 0 ? "?" : llvm::formatv("{0:F2} ms", us / 1000).str(); }

struct Line {
  unsigned count = 1;
  std::string relation, a, aBytes, b, bBytes;
  double aUs = 0, bUs = 0; ///< of all rows that the line stands for
};

std::string headOf(const char *letter, const Side &side, size_t width) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << letter << "  " << padded(side.name, width) << "  " << padded(std::to_string(side.dispatches.size()), 6, true)
     << " dispatches  " << padded(bytesText(side.bytes, side.bytesAtMost), 12, true) << " through memory  "
     << padded(flopsText(side.flops), 12, true);
  if (!side.device.empty())
    os << "  " << padded(timeText(side.us), 12, true) << " on " << side.device;
  if (side.unknown > 0)
    os << "  (the bytes of " << side.unknown << " are not known)";
  if (side.planned)
    os << "  (none are formed: as the policy would)";
  os << '\n';
  return text;
}

std::string countsText(const DispatchComparison &comparison) {
  constexpr const char *words[] = {"same",
                                   "with other ops in them, too",
                                   "merged in A (1 = n of B)",
                                   "split in A (n = 1 of B)",
                                   "cut elsewhere",
                                   "only in A",
                                   "only in B"};
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::size(words); ++i)
    if (int count = comparison.counts.at(message::dispatchRelationNames[i]))
      parts.push_back(std::to_string(count) + " " + words[i]);
  return parts.empty() ? "no dispatches" : llvm::join(parts, ", ");
}

/// What one side has in one dispatch and the other does not, with the other's reasons; of equal rows once.
std::string reasonsText(const DispatchComparison &comparison, bool all) {
  std::string text;
  std::set<int> said;
  for (const message::ComparedRow<> &row : comparison.rows) {
    if (row.reasons.empty() || (!all && row.group >= 0 && !said.insert(row.group).second))
      continue;
    for (bool ofB : {true, false}) {
      const Side &whole = ofB ? comparison.a : comparison.b, &parted = ofB ? comparison.b : comparison.a;
      std::string lines;
      for (const message::ComparedReason<> &reason : row.reasons)
        if (reason.ofB == ofB)
          lines += std::string(ofB ? "  B: " : "  A: ") + parted.dispatches[reason.from].name + " -> " +
                   parted.dispatches[reason.to].name + ": " + reason.code + ": " + reason.sentence + '\n';
      if (!lines.empty())
        text += std::string(ofB ? "  A: " : "  B: ") + namesOf(whole, ofB ? row.a : row.b) + '\n' + lines;
    }
  }
  return text.empty() ? text : "\nfused on one side only, and why the other keeps it apart:\n" + text;
}

} // namespace

std::string formatComparison(const DispatchComparison &comparison, bool all) {
  size_t nameWidth = std::max(comparison.a.name.size(), comparison.b.name.size());
  std::string text =
      headOf("A", comparison.a, nameWidth) + headOf("B", comparison.b, nameWidth) + countsText(comparison) + "\n";
  bool isTimed = !comparison.a.device.empty() || !comparison.b.device.empty();
  std::vector<Line> lines;
  for (const message::ComparedRow<> &row : comparison.rows) {
    Line line{.relation = llvm::StringRef(message::dispatchRelationNames[size_t(row.relation)]).str(),
              .a = namesOf(comparison.a, row.a),
              .aBytes = bytesOf(comparison.a, row.a),
              .b = namesOf(comparison.b, row.b),
              .bBytes = bytesOf(comparison.b, row.b),
              .aUs = timeOf(comparison.a, row.a),
              .bUs = timeOf(comparison.b, row.b)};
    std::replace(line.relation.begin(), line.relation.end(), '_', ' ');
    if (all || size_t(row.group) == lines.size()) { // groups are in the order of their first rows
      lines.push_back(std::move(line));
      continue;
    }
    Line &known = lines[row.group];
    ++known.count;
    known.aUs = known.aUs < 0 || line.aUs < 0 ? -1 : known.aUs + line.aUs;
    known.bUs = known.bUs < 0 || line.bUs < 0 ? -1 : known.bUs + line.bUs;
  }
  if (lines.empty())
    return text;
  Line head{.relation = "relation", .a = "A", .aBytes = "bytes", .b = "B", .bBytes = "bytes"};
  auto widest = [&](std::string Line::*column) {
    size_t width = (head.*column).size();
    for (const Line &line : lines)
      width = std::max(width, (line.*column).size());
    return width;
  };
  size_t relation = widest(&Line::relation), a = widest(&Line::a), aBytes = widest(&Line::aBytes), b = widest(&Line::b),
         bBytes = widest(&Line::bBytes);
  auto time = [&](bool isHead, bool isEmpty, double us) {
    return isTimed ? "  " + padded(isHead ? "time" : isEmpty ? "" : timeText(us), 12, true) : std::string();
  };
  auto add = [&](const std::string &count, const Line &line) {
    bool isHead = &line == &head;
    std::string row;
    llvm::raw_string_ostream(row) << padded(count, 5, true) << "  " << padded(line.relation, relation) << "  "
                                  << padded(line.a, a) << "  " << padded(line.aBytes, aBytes, true)
                                  << time(isHead, line.aBytes.empty(), line.aUs) << "  |  " << padded(line.b, b) << "  "
                                  << padded(line.bBytes, bBytes, true) << time(isHead, line.bBytes.empty(), line.bUs);
    text += llvm::StringRef(row).rtrim();
    text += '\n';
  };
  text += "\n";
  add("times", head);
  for (const Line &line : lines)
    add(std::to_string(line.count), line);
  return text + reasonsText(comparison, all);
}

} // namespace fuselage
