#include "core/inductor/FusionLog.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <set>
#include <tuple>

using llvm::StringRef;

namespace fuselage::inductor {

static constexpr StringRef kMark = "[__fusion]";
/// Logs are as long as users like; what is kept of one is not.
static constexpr size_t kMostRounds = 256, kMostKept = 200'000;

bool hasFusionLines(StringRef text) { return text.contains(kMark); }

namespace {

/// "op0_op1" -> "op0", "op1": a fused node is called after its parts.
std::vector<std::string> partsOf(StringRef name) {
  llvm::SmallVector<StringRef> parts;
  name.split(parts, '_');
  std::vector<std::string> names;
  for (StringRef part : parts)
    names.push_back(part.str());
  return names;
}

class LogReader {
public:
  std::vector<FusionRound> read(StringRef text);

private:
  void readMessage(StringRef message);
  void readCandidate(StringRef message);
  void readUnfused(StringRef message);

  std::vector<FusionRound> rounds_;
  std::set<std::tuple<std::string, std::string, std::string>> known_; // of the round
  size_t kept_ = 0;
};

/// `SchedulerNode(name='op0'), Reduction(['[64]', 'sum', 'origins=OrderedSet([var_mean])', ..`
void LogReader::readCandidate(StringRef message) {
  auto [kind, rest] = message.split("(name='");
  std::string name = rest.take_until([](char c) { return c == '\''; }).str();
  FusionRound &round = rounds_.back();
  if (kind.starts_with("ExternKernel")) {
    if (!llvm::is_contained(round.library, name))
      round.library.push_back(name);
    return;
  }
  size_t at = rest.find("origins=");
  if (at == StringRef::npos || name.empty())
    return;
  StringRef listed = rest.substr(at).take_until([](char c) { return c == '\''; });
  listed = listed.substr(listed.find_first_of("[{") + 1).take_until([](char c) { return c == ']' || c == '}'; });
  std::vector<std::string> &origins = round.origins[name];
  origins.clear();
  llvm::SmallVector<StringRef> names;
  listed.split(names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef origin : names)
    origins.push_back(origin.trim().str());
  kept_ += origins.size();
}

/// `op0 with op2: intermediate nodes between node1 & node2`
void LogReader::readUnfused(StringRef message) {
  auto [first, rest] = message.split(" with ");
  auto [second, reason] = rest.split(": ");
  if (reason.empty() || !known_.emplace(first.str(), second.str(), reason.str()).second)
    return;
  ++kept_;
  rounds_.back().unfused.push_back({partsOf(first), partsOf(second), reason.trim().str()});
}

void LogReader::readMessage(StringRef message) {
  if (message.contains("attempting fusion (1/")) {
    rounds_.emplace_back();
    known_.clear();
  }
  if (rounds_.empty())
    rounds_.emplace_back();
  if (message.consume_front("cannot fuse "))
    readUnfused(message);
  else if (message.contains("SchedulerNode(name='"))
    readCandidate(message);
}

std::vector<FusionRound> LogReader::read(StringRef text) {
  while (!text.empty() && rounds_.size() < kMostRounds && kept_ < kMostKept) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    if (size_t at = line.find(kMark); at != StringRef::npos)
      readMessage(line.substr(at + kMark.size()).trim());
  }
  return std::move(rounds_);
}

} // namespace

std::vector<FusionRound> readFusionLog(StringRef text) { return LogReader().read(text); }

} // namespace fuselage::inductor
