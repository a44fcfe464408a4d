#include "core/kernels/InstructionMix.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage {
namespace {

struct Instruction {
  std::string kind;
  uint64_t fmas = 0, sharedBytes = 0;
  uint64_t globalBytes = 0; ///< that a thread reads at once
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
          .sharedBytes = isLoad && space == "shared" ? bytes : 0,
          .globalBytes = isLoad && space == "global" ? bytes : 0};
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
    return {.kind = "fma", .fmas = lanes};
  if (name == "mma" || name == "wgmma" || name == "wmma")
    return {.kind = "matrix"};
  if (name == "ldmatrix" || name == "stmatrix")
    return {.kind = name.str()};
  if (name == "cp" && (has(parts, "commit_group") || has(parts, "wait_group") || has(parts, "wait_all")))
    return {.kind = "wait for copies"};
  if (name == "cp")
    return {.kind = "asynchronous copy"};
  if (isFloat && name == "mul")
    return {.kind = "mul"};
  if (isFloat && (name == "add" || name == "sub"))
    return {.kind = "add"};
  if (isFloat && name != "mov" && name != "cvt" && name != "setp" && name != "selp" && name != "shfl")
    return {.kind = "other float"};
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
  // A branch back, with no label and no branch between: a loop that runs straight through.
  for (size_t last = 0; last < instructions.size(); ++last) {
    if (instructions[last].target.empty())
      continue;
    uint64_t fmas = 0, bytes = 0;
    for (size_t i = last; i-- > 0;) {
      if (!instructions[i].target.empty())
        break;
      if (instructions[i].label == instructions[last].target && fmas > mix.loopFmas) {
        mix.loopFmas = fmas;
        mix.loopSharedBytes = bytes;
      }
      if (!instructions[i].label.empty() && !instructions[i].label.starts_with("$L__tmp"))
        break;
      fmas += instructions[i].fmas;
      bytes += instructions[i].sharedBytes;
    }
  }
  return mix;
}

} // namespace fuselage
