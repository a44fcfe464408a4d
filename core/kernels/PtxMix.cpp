#include "core/kernels/InstructionMix.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using llvm::StringRef;

namespace fuselage {
namespace {

struct Instruction {
  std::string kind;
  LoopMix adds{};              ///< to the loop that it is in
  uint64_t globalBytes = 0;    ///< that a thread reads at once
  StringRef label{}, target{}; ///< of a line that is a label, of a branch
};

/// ".v4.f32" -> 16; 0: the type is not known.
uint64_t accessBytes(llvm::ArrayRef<StringRef> parts) {
  uint64_t count = 1, bits = 0;
  for (StringRef part : parts) {
    StringRef digits = part.drop_front(part.empty() ? 0 : 1);
    unsigned number = 0;
    if (digits.getAsInteger(10, number))
      continue;
    if (part[0] == 'v')
      count = number;
    else if (StringRef("bfsu").contains(part[0]))
      bits = number;
  }
  return count * bits / 8;
}

bool has(llvm::ArrayRef<StringRef> parts, StringRef wanted) {
  return llvm::any_of(parts, [&](StringRef part) { return part == wanted || part.starts_with((wanted + "::").str()); });
}

/// "load", "global", 16 -> "load global 16 B".
std::string accessKind(StringRef what, StringRef space, uint64_t bytes) {
  return (what + " " + space + (bytes ? " " + std::to_string(bytes) + " B" : "")).str();
}

Instruction classifyAccess(llvm::ArrayRef<StringRef> parts) {
  bool isLoad = parts[0] == "ld";
  StringRef space = "generic";
  for (StringRef known : {"global", "shared", "local", "param", "const"})
    if (has(parts, known))
      space = known;
  uint64_t bytes = accessBytes(parts);
  if (space == "param" || space == "const")
    return {.kind = "parameters and constants"};
  return {.kind = accessKind(isLoad ? "load" : "store", space == "shared" ? StringRef("workgroup") : space, bytes),
          .adds = {.sharedBytes = isLoad && space == "shared" ? bytes : 0},
          .globalBytes = isLoad && space == "global" ? bytes : 0};
}

/// "mma.sync.aligned.m16n8k16.row.." -> "mma.sync m16n8k16".
Instruction matrixInstruction(llvm::ArrayRef<StringRef> parts) {
  std::string kind = parts[0].str();
  if (parts.size() > 1)
    kind += "." + parts[1].str();
  for (StringRef part : parts)
    if (part.starts_with("m") && part.size() > 1 && llvm::isDigit(part[1]))
      kind += " " + part.str();
  // Loads and stores of wmma, fences and groups of wgmma multiply nothing.
  bool multiplies = parts[0] == "mma" || has(parts, "mma") || has(parts, "mma_async");
  return {.kind = kind, .adds = {.matrices = multiplies ? 1u : 0u}};
}

/// What a thread gets of ldmatrix: a register for each matrix.
uint64_t fragmentBytes(llvm::ArrayRef<StringRef> parts) {
  for (uint64_t count : {1, 2, 4})
    if (has(parts, "x" + std::to_string(count)))
      return 4 * count;
  return 0;
}

Instruction classify(StringRef opcode) {
  llvm::SmallVector<StringRef, 8> parts;
  opcode.split(parts, '.');
  StringRef name = parts[0], type = parts.back();
  bool isFloat = type.starts_with("f") || type.starts_with("bf") || type == "tf32";
  uint64_t lanes = type.ends_with("x2") ? 2 : 1; // of packed types
  if (name == "ld" || name == "st")
    return classifyAccess(parts);
  if (name == "fma" || (name == "mad" && isFloat))
    return {.kind = "fma", .adds = {.fmas = lanes, .elementwise = 1}};
  if (name == "mma" || name == "wgmma" || name == "wmma")
    return matrixInstruction(parts);
  if (name == "ldmatrix")
    return {.kind = name.str(), .adds = {.sharedBytes = fragmentBytes(parts), .matrixReads = 1}};
  if (name == "stmatrix")
    return {.kind = name.str()};
  if (name == "cp" && (has(parts, "commit_group") || has(parts, "wait_group") || has(parts, "wait_all")))
    return {.kind = "wait for copies"};
  if (name == "cp")
    return {.kind = "asynchronous copy", .adds = {.copies = 1}};
  if (isFloat && name == "mul")
    return {.kind = "mul", .adds = {.elementwise = 1}};
  if (isFloat && (name == "add" || name == "sub"))
    return {.kind = "add", .adds = {.elementwise = 1}};
  if (isFloat && name != "mov" && name != "cvt" && name != "setp" && name != "selp" && name != "shfl")
    return {.kind = "other float", .adds = {.elementwise = 1}};
  if (name == "bar" || name == "barrier" || name == "membar" || name == "fence" || name == "mbarrier")
    return {.kind = "barrier"};
  if (name == "shfl" || name == "redux" || name == "vote" || name == "match")
    return {.kind = "shuffle"};
  if (name == "atom" || name == "red")
    return {.kind = "atomic"};
  if (name == "bra" || name == "brx" || name == "ret" || name == "exit" || name == "call")
    return {.kind = "branch"};
  if (name == "cvt")
    return {.kind = "conversion"};
  if (name == "mov" || name == "selp" || name == "cvta")
    return {.kind = "move"};
  if (name == "setp" || name == "set")
    return {.kind = "compare"};
  return {.kind = "integer"};
}

/// One line of a body: nothing, a label, or an instruction.
Instruction readLine(StringRef line) {
  line = line.split("//").first.trim();
  if (line.ends_with(":"))
    return {.kind = "", .label = line.drop_back()};
  if (line.starts_with("@"))
    line = line.drop_until([](char c) { return c == ' ' || c == '\t'; }).trim();
  if (line.empty() || !llvm::isAlpha(line[0]))
    return {};
  StringRef opcode = line.take_until([](char c) { return c == ' ' || c == '\t' || c == ';'; });
  Instruction instruction = classify(opcode);
  // cp.async.cg.shared.global [to], [from], 16;
  if (instruction.kind == "asynchronous copy" && opcode.contains(".shared") && opcode.contains(".global")) {
    StringRef bytes = line.rsplit(']').second.ltrim(", \t").take_while(llvm::isDigit);
    if (!bytes.getAsInteger(10, instruction.globalBytes))
      instruction.kind += " " + bytes.str() + " B";
  }
  if (opcode == "bra" || opcode == "bra.uni")
    instruction.target = line.rtrim(';').rsplit('\t').second.rsplit(' ').second.empty()
                             ? line.rtrim(';').rsplit('\t').second
                             : line.rtrim(';').rsplit(' ').second;
  return instruction;
}

/// The lines between the braces of the entry.
StringRef bodyOf(StringRef ptx, StringRef entry) {
  size_t at = 0;
  while ((at = ptx.find(".entry ", at)) != StringRef::npos) {
    StringRef rest = ptx.drop_front(at + 7);
    if (rest.ltrim().take_until([](char c) { return c == '(' || llvm::isSpace(c); }) == entry) {
      size_t begin = rest.find("\n{"), end = rest.find("\n}");
      return begin == StringRef::npos || end == StringRef::npos || end < begin ? "" : rest.slice(begin + 2, end);
    }
    at += 7;
  }
  return "";
}

/// From a label to the last branch back to it, and no other such in between: an innermost loop. What stands in it under
/// a condition counts, too.
void findLoops(llvm::ArrayRef<Instruction> instructions, InstructionMix &mix) {
  llvm::StringMap<size_t> labels;
  for (auto [index, instruction] : llvm::enumerate(instructions))
    if (!instruction.label.empty())
      labels.try_emplace(instruction.label, index);
  std::map<size_t, size_t> loops; // first and last
  for (auto [index, instruction] : llvm::enumerate(instructions))
    if (auto label = instruction.target.empty() ? labels.end() : labels.find(instruction.target);
        label != labels.end() && label->second < index)
      loops[label->second] = index;
  for (auto loop = loops.begin(); loop != loops.end(); ++loop) {
    auto next = std::next(loop);
    if (next != loops.end() && next->first < loop->second)
      continue;
    LoopMix round;
    for (const Instruction &inside : instructions.slice(loop->first, loop->second - loop->first))
      round.add(inside.adds);
    if (round.fmas > mix.loopFmas) {
      mix.loopFmas = round.fmas;
      mix.loopSharedBytes = round.sharedBytes;
    }
    if (round.matrices > mix.matrixLoop.matrices)
      mix.matrixLoop = round;
  }
}

} // namespace

InstructionMix countPtx(StringRef ptx, StringRef entry) {
  llvm::SmallVector<StringRef> lines;
  bodyOf(ptx, entry).split(lines, '\n');
  std::vector<Instruction> instructions;
  InstructionMix mix;
  for (StringRef line : lines) {
    Instruction instruction = readLine(line);
    if (instruction.kind.empty() && instruction.label.empty())
      continue;
    if (!instruction.kind.empty())
      ++mix.counts[instruction.kind];
    if (instruction.globalBytes != 0)
      ++mix.globalReads[instruction.globalBytes];
    instructions.push_back(std::move(instruction));
  }
  findLoops(instructions, mix);
  return mix;
}

} // namespace fuselage
