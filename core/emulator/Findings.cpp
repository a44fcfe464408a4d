#include "core/emulator/Findings.h"

using namespace mlir;

namespace fuselage::emulator {

llvm::StringRef nameOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::WriteWrite:
    return "write-write race";
  case FindingKind::ReadWrite:
    return "read-write race";
  case FindingKind::OutOfBounds:
    return "out of bounds";
  case FindingKind::OutOfView:
    return "out of view";
  case FindingKind::Uninitialised:
    return "uninitialised read";
  case FindingKind::PendingCopy:
    return "pending copy";
  case FindingKind::DivergentBarrier:
    return "divergent barrier";
  case FindingKind::InactiveLane:
    return "inactive lane";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::DivisionByZero:
    return "division by zero";
  }
  return "";
}

bool Findings::isNew(FindingKind kind, Operation *first, Operation *second) {
  constexpr size_t most = 200;
  auto found = found_.find({unsigned(kind), {first, second}});
  if (found != found_.end()) {
    ++found->second.count;
    return false;
  }
  if (found_.size() < most)
    return true;
  ++dropped_;
  return false;
}

void Findings::add(Finding finding) {
  Key key{unsigned(finding.kind), {finding.first.op, finding.second.op}};
  found_.insert({key, std::move(finding)});
}

std::vector<Finding> Findings::take() {
  std::vector<Finding> all;
  for (auto &[key, finding] : found_)
    all.push_back(std::move(finding));
  found_.clear();
  return all;
}

} // namespace fuselage::emulator
