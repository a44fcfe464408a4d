#include "core/ir/hlo/HloPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace fuselage::hlo {

/// How the computations in an attribute are used; nullopt: it names none.
static std::optional<CallKind> callKind(const Instruction &instruction, StringRef attribute) {
  StringRef opcode = instruction.opcode;
  bool isControl = opcode == "call" || opcode == "call-start" || opcode == "async-start";
  return llvm::StringSwitch<std::optional<CallKind>>(attribute)
      .Case("calls", opcode == "fusion" ? CallKind::Fusion : CallKind::Control)
      .Cases({"body", "condition", "branch_computations", "true_computation", "false_computation"}, CallKind::Control)
      .Case("called_computations", isControl ? CallKind::Control : CallKind::Payload)
      .Case("to_apply", isControl ? CallKind::Control : CallKind::Payload)
      .Cases({"select", "scatter", "comparator"}, CallKind::Payload)
      .Default(std::nullopt);
}

llvm::SmallVector<Call, 2> callsOf(const Module &module, const Instruction &instruction) {
  llvm::SmallVector<Call, 2> calls;
  for (const WrittenAttribute &attribute : instruction.attributes)
    if (std::optional<CallKind> kind = callKind(instruction, attribute.name))
      for (StringRef name : namesIn(attribute.value))
        if (auto found = module.byName.find(name); found != module.byName.end())
          calls.push_back({attribute.name, found->second, *kind});
  return calls;
}

/// "add" of a computation that adds its two parameters; empty: it is more than that.
static StringRef wordOf(const Computation &computation) {
  const Instruction &root = computation.instructions[computation.root];
  auto isParameter = [&](unsigned index) { return computation.instructions[index].opcode == "parameter"; };
  bool isWord = computation.instructions.size() == 3 && root.operands.size() == 2 && root.attributes.size() <= 1 &&
                llvm::all_of(root.operands, isParameter) && root.operands[0] != root.operands[1];
  return isWord ? root.opcode : StringRef();
}

std::vector<Placement> placeComputations(const Module &module) {
  struct Uses {
    unsigned count = 0, inPayloads = 0, inPrograms = 0;
    unsigned lastCaller = 0, depth = 0;
  };
  std::vector<Uses> uses(module.computations.size());
  std::vector<Placement> placements(module.computations.size());
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      for (const Call &call : callsOf(module, instruction)) {
        ++uses[call.computation].count;
        uses[call.computation].inPayloads += call.kind == CallKind::Payload;
      }
  // Callees stand before their callers: the last computation has no caller that is still to come.
  for (unsigned caller = module.computations.size(); caller-- > 0;) {
    Placement &own = placements[caller];
    own.isProgram = uses[caller].count == 0 || uses[caller].inPrograms > 0 || caller == module.entry;
    for (const Instruction &instruction : module.computations[caller].instructions)
      for (const Call &call : callsOf(module, instruction)) {
        Uses &of = uses[call.computation];
        of.inPrograms += own.isProgram && call.kind == CallKind::Control;
        bool isAlone = of.count == 1 && call.computation < caller && call.computation != module.entry;
        of.depth = uses[caller].depth + 1;
        if (isAlone && of.depth <= kMaxRegionDepth)
          placements[call.computation].kind = Placement::Region;
        else
          of.depth = 0;
      }
  }
  for (unsigned i = 0; i < module.computations.size(); ++i)
    if (i != module.entry && uses[i].count > 0 && uses[i].inPayloads == uses[i].count)
      if (StringRef word = wordOf(module.computations[i]); !word.empty()) {
        placements[i].kind = Placement::Word;
        placements[i].word = word;
      }
  return placements;
}

bool hasKernels(const Module &module) {
  if (module.isScheduled())
    return true;
  return llvm::any_of(module.computations, [](const Computation &computation) {
    return llvm::any_of(computation.instructions, [](const Instruction &each) { return each.opcode == "fusion"; });
  });
}

bool isKernel(const Instruction &instruction) {
  StringRef opcode = instruction.opcode;
  if (opcode.ends_with("-done") || opcode.ends_with("-update"))
    return false;
  return llvm::StringSwitch<bool>(opcode)
      .Cases({"parameter", "constant", "tuple", "get-tuple-element", "bitcast", "reshape"}, false)
      .Cases({"after-all", "add-dependency", "opt-barrier", "optimization-barrier", "domain"}, false)
      .Cases({"while", "conditional", "call", "fusion", "async-start"}, false)
      .Cases({"partition-id", "replica-id", "get-dimension-size", "set-dimension-size"}, false)
      .Default(true);
}

} // namespace fuselage::hlo
