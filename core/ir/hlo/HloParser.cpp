#include "core/ir/hlo/HloParser.h"
#include "core/ir/hlo/HloFrames.h"
#include "core/ir/hlo/HloShapes.h"
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceText.h"
#include "core/support/Paths.h"

using llvm::StringRef;

namespace fuselage::hlo {
namespace {

/// Reads one text; stops at the first problem.
class Parser {
public:
  explicit Parser(StringRef text) : cursor_(text) {}

  bool run();
  Module take() { return std::move(module_); }
  const std::string &problem() const { return problem_; }
  Offset problemAt() const { return problemAt_; }

private:
  bool fail(std::string problem) { return failAt(cursor_.offset(), std::move(problem)); }
  bool failAt(Offset at, std::string problem);
  bool header();
  bool computation();
  bool signature();
  bool instruction(Computation &computation);
  bool literal(Instruction &instruction);
  bool operands(Instruction &instruction);
  bool attributes(llvm::SmallVectorImpl<WrittenAttribute> &attributes);
  bool shape(Shape &shape);
  bool close(Computation &computation);

  Cursor cursor_;
  Module module_;
  llvm::StringMap<unsigned> known_; // instructions of the computation
  bool hasEntry_ = false;
  std::string problem_;
  Offset problemAt_ = 0;
};

bool Parser::failAt(Offset at, std::string problem) {
  problem_ = std::move(problem);
  problemAt_ = at;
  return false;
}

bool Parser::shape(Shape &shape) {
  std::string problem = readShape(cursor_, shape);
  return problem.empty() || fail(std::move(problem));
}

/// `, name=value` as often as it is there.
bool Parser::attributes(llvm::SmallVectorImpl<WrittenAttribute> &attributes) {
  while (cursor_.consume(',')) {
    WrittenAttribute attribute;
    attribute.name = cursor_.word();
    if (attribute.name.empty() || !cursor_.consume('='))
      return fail("expected an attribute, 'name=value', after ','");
    attribute.value = cursor_.value();
    if (attribute.value.empty())
      return fail("the attribute '" + attribute.name.str() + "' has no value, or its brackets are not closed");
    attributes.push_back(attribute);
  }
  return true;
}

/// The line `HloModule name, ..`, and the tables of stack frames after it.
bool Parser::header() {
  if (!cursor_.consumeWord("HloModule"))
    return fail("expected 'HloModule'");
  module_.name = cursor_.name();
  if (!attributes(module_.attributes))
    return false;
  readFrames(cursor_, module_.frames);
  return true;
}

/// `(p: f32[2], q: s32[]) -> f32[2]`, which the instructions tell again.
bool Parser::signature() {
  if (!cursor_.bracketed('('))
    return fail("the parameters of the computation are not closed by ')'");
  Shape result;
  if (!cursor_.consume("->"))
    return fail("expected '->' after the parameters of the computation");
  return shape(result);
}

bool Parser::literal(Instruction &instruction) {
  std::optional<StringRef> text = cursor_.bracketed('(');
  if (!text)
    return fail("expected a value in parentheses after '" + instruction.opcode.str() + "'");
  instruction.literal = text->drop_front().drop_back().trim();
  return true;
}

/// `(f32[2] %a, b)`.
bool Parser::operands(Instruction &instruction) {
  if (!cursor_.consume('('))
    return fail("expected '(' after the opcode '" + instruction.opcode.str() + "'");
  while (!cursor_.consume(')')) {
    Offset at = cursor_.offset();
    Shape written;
    StringRef name;
    if (cursor_.isNext("(")) {
      if (!shape(written))
        return false;
      name = cursor_.name();
    } else {
      Cursor ahead = cursor_;
      name = ahead.name();
      bool isShape = !name.empty() && (ahead.isNext("[") || (name == "b" && ahead.isNext("(")));
      if (isShape && !shape(written))
        return false;
      name = cursor_.name();
    }
    auto found = known_.find(name);
    if (name.empty() || found == known_.end())
      return failAt(at, name.empty()
                            ? "expected an operand or ')'"
                            : "no instruction before this one in its computation is called '" + name.str() + "'");
    instruction.operands.push_back(found->second);
    if (!cursor_.consume(',') && !cursor_.isNext(")"))
      return fail("expected ',' or ')' after the operand '" + name.str() + "'");
  }
  return true;
}

bool Parser::instruction(Computation &computation) {
  Instruction instruction;
  instruction.isRoot = cursor_.consumeWord("ROOT");
  (void)cursor_.peek();
  instruction.at = cursor_.offset();
  instruction.name = cursor_.name();
  if (instruction.name.empty() || !cursor_.consume('='))
    return failAt(instruction.at, "expected an instruction, 'name = shape opcode(operands)', or '}'");
  if (!shape(instruction.shape))
    return false;
  instruction.opcode = cursor_.word();
  if (instruction.opcode.empty())
    return fail("expected an opcode after the shape");
  bool isLiteral = instruction.opcode == "constant" || instruction.opcode == "parameter";
  if (!(isLiteral ? literal(instruction) : operands(instruction)) || !attributes(instruction.attributes))
    return false;
  unsigned index = computation.instructions.size();
  if (!known_.try_emplace(instruction.name, index).second)
    return failAt(instruction.at, "another instruction of the computation is called '" + instruction.name.str() + "'");
  if (instruction.isRoot)
    computation.root = index;
  computation.instructions.push_back(std::move(instruction));
  return true;
}

/// Puts parameters in order, and tells the root if none is marked: the last.
bool Parser::close(Computation &computation) {
  if (computation.instructions.empty())
    return failAt(computation.at, "the computation '" + computation.name.str() + "' has no instructions");
  if (!computation.instructions[computation.root].isRoot)
    computation.root = computation.instructions.size() - 1;
  std::map<int64_t, unsigned> byNumber;
  for (unsigned i = 0; i < computation.instructions.size(); ++i) {
    const Instruction &parameter = computation.instructions[i];
    if (parameter.opcode != "parameter")
      continue;
    std::optional<int64_t> number = numberIn(parameter.literal);
    if (!number || *number < 0 || !byNumber.try_emplace(*number, i).second)
      return failAt(parameter.at, "the number of the parameter is wrong, or another has it");
  }
  for (size_t number = 0; number < byNumber.size(); ++number) {
    auto found = byNumber.find(int64_t(number));
    if (found == byNumber.end())
      return failAt(computation.at,
                    "the computation '" + computation.name.str() + "' has no parameter " + std::to_string(number));
    computation.parameters.push_back(found->second);
  }
  return true;
}

bool Parser::computation() {
  Computation computation;
  computation.isEntry = cursor_.consumeWord("ENTRY");
  (void)cursor_.peek();
  computation.at = cursor_.offset();
  computation.name = cursor_.name();
  if (computation.name.empty() || !(cursor_.isNext("(") || cursor_.isNext("{")))
    return failAt(computation.at, "expected a computation, 'name (parameters) -> shape {'");
  if (cursor_.isNext("(") && !signature())
    return false;
  if (!cursor_.consume('{'))
    return fail("expected '{' before the instructions of the computation");
  known_.clear();
  while (!cursor_.consume('}')) {
    if (cursor_.atEnd())
      return failAt(computation.at, "the computation '" + computation.name.str() +
                                        "' is not closed by '}'; the text "
                                        "may be cut off");
    if (!instruction(computation))
      return false;
  }
  llvm::SmallVector<WrittenAttribute> after; // execution_thread="host"
  if (!attributes(after) || !close(computation))
    return false;
  unsigned index = module_.computations.size();
  if (computation.isEntry && std::exchange(hasEntry_, true))
    return failAt(computation.at, "the module has a second ENTRY");
  if (computation.isEntry)
    module_.entry = index;
  if (!module_.byName.try_emplace(computation.name, index).second)
    return failAt(computation.at, "another computation is called '" + computation.name.str() + "'");
  module_.computations.push_back(std::move(computation));
  return true;
}

bool Parser::run() {
  if (!header())
    return false;
  while (!cursor_.atEnd()) {
    if (cursor_.isNext("HloModule ")) {
      module_.secondModule = cursor_.offset();
      break;
    }
    if (!computation())
      return false;
  }
  if (module_.computations.empty())
    return fail("the module has no computations; the text may be cut off");
  if (!hasEntry_) // as in texts that were cut out of a dump
    module_.entry = module_.computations.size() - 1;
  return true;
}

} // namespace

llvm::Expected<Module> parseModule(StringRef text, StringRef file) {
  Parser parser(text);
  if (parser.run())
    return parser.take();
  LineTable lines(text);
  auto position = lines.positionOf(std::min(parser.problemAt(), text.size()));
  Diagnostic problem{.message = parser.problem(), .file = file.str(), .line = position.line, .column = position.column};
  problem.sourceLine = quotable(lineOf(text, position.line));
  return fail("cannot open '" + shortPath(file) + "': " + parser.problem(), {std::move(problem)});
}

} // namespace fuselage::hlo
