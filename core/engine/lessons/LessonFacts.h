// What goals of lessons can ask of a program.
#pragma once
#include "core/engine/Engine.h"
#include "core/lessons/Goal.h"
#include "core/protocol/Buffers.h"
#include "core/protocol/Fusion.h"
#include <map>
#include <optional>

namespace fuselage {

/// Facts of one snapshot of the open document, each found when a goal asks for it; and those that only who looks at the
/// window knows, which are told: "answer", "selected linalg.matmul".
class LessonFacts {
public:
  using Told = std::map<std::string, double>;
  /// What is run ends once `cancelled`.
  LessonFacts(Document &document, unsigned snapshot, const Told &told, const std::atomic<bool> *cancelled = nullptr)
      : document_(document), snapshot_(snapshot), told_(told), cancelled_(cancelled) {}

  /// In their order. What has to be run is run once all others hold.
  std::vector<GoalState> judge(llvm::ArrayRef<Goal> goals);
  GoalState judge(const Goal &goal, bool tellsWanted = true);
  /// The first edge from one op to another, by names as isCalled takes them, that is not fused. Failure: there is none.
  llvm::Expected<message::FusionEdge<>> missedEdge(llvm::StringRef from, llvm::StringRef to);

private:
  using Value = llvm::Expected<double>;
  Value find(const Goal &goal);
  Value ofFusion(const Goal &goal);
  Value stateOfEdge(llvm::StringRef from, llvm::StringRef to);
  Value countOps(llvm::StringRef name);
  Value ofBuffers(const Goal &goal);
  Value holdsForm(llvm::StringRef name);
  Value computesTheSame();
  /// `proves`: tries transforms, which takes longer, and only the state of an edge needs.
  llvm::Error explain(bool proves);

  Document &document_;
  unsigned snapshot_;
  const Told &told_;
  const std::atomic<bool> *cancelled_;
  std::optional<message::FusionReport<>> fusion_;
  bool isProven_ = false; ///< fusion_ is
};

/// Whether an op is what a lesson calls "linalg.add" or "add"; `value`: the name of its result, "%x", if that will do.
bool isCalled(llvm::StringRef name, llvm::StringRef op, llvm::StringRef value = {});

/// "selected linalg.matmul", "answer": how a fact is told.
std::string toldName(const Goal &goal);
/// Only who looks at the window knows it.
bool isOfWindow(llvm::StringRef fact);
/// Found by running programs, which takes longer than all others.
bool isMeasured(llvm::StringRef fact);

} // namespace fuselage
