#include "core/ir/hlo/HloImport.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/ir/hlo/HloCursor.h"
#include "core/ir/hlo/HloParser.h"
#include "core/ir/hlo/HloPlan.h"
#include "core/ir/hlo/HloTypes.h"
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceText.h"
#include "core/support/Paths.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

using namespace hlo;

/// The leaves of what an instruction makes.
using Leaves = SmallVector<Value, 1>;

class Importer {
public:
  Importer(MLIRContext &context, const hlo::Module &module, StringRef text, StringRef file)
      : context_(context), builder_(&context), module_(module), placements_(placeComputations(module)),
        hasKernels_(hasKernels(module)), lines_(text), file_(StringAttr::get(&context, file)) {}

  OwningOpRef<ModuleOp> run();
  Offset problemAt() const { return problemAt_; }
  const std::string &problem() const { return problem_; }

private:
  Location place(Offset at);
  Location locationOf(const Instruction &instruction);
  SmallVector<Type> typesOf(const Shape &shape);
  SmallVector<Type> parameterTypes(const Computation &computation);
  void addFunction(unsigned index);
  /// The instructions of a computation, whose parameters are `arguments`; its results.
  Leaves fill(Block &block, const Computation &computation, ValueRange arguments, bool isProgram);
  void addRegion(Operation *op, const Computation &computation, ArrayRef<Value> captured, bool isProgram);
  Leaves convert(const Instruction &instruction, const Computation &computation, ArrayRef<Leaves> known,
                 bool isProgram);
  Leaves element(const Instruction &instruction, const Computation &computation, ArrayRef<Leaves> known);
  Operation *makeOp(const Instruction &instruction, ArrayRef<Leaves> operands, bool isProgram);
  Operation *makeKernel(const Instruction &instruction, ArrayRef<Leaves> operands, bool isProgram);
  void addAttributes(const Instruction &instruction, ArrayRef<Call> calls, OperationState &state);
  void addSource(const Instruction &instruction, OperationState &state);
  void refuse(const Instruction &instruction, std::string problem);

  MLIRContext &context_;
  OpBuilder builder_;
  const hlo::Module &module_;
  std::vector<Placement> placements_;
  bool hasKernels_;
  LineTable lines_;
  StringAttr file_;
  std::string problem_;
  Offset problemAt_ = 0;
};

void Importer::refuse(const Instruction &instruction, std::string problem) {
  if (problem_.empty()) {
    problem_ = std::move(problem);
    problemAt_ = instruction.at;
  }
}

Location Importer::place(Offset at) {
  auto position = lines_.positionOf(at);
  return FileLineColLoc::get(file_, position.line, position.column);
}

Location Importer::locationOf(const Instruction &instruction) {
  Location location = place(instruction.at);
  if (std::string scope = metadataOf(instruction, "op_name"); !scope.empty())
    location = NameLoc::get(StringAttr::get(&context_, scope), location);
  return NameLoc::get(StringAttr::get(&context_, instruction.name), location);
}

SmallVector<Type> Importer::typesOf(const Shape &shape) {
  return llvm::map_to_vector(shape.leaves, [&](const ArrayShape &leaf) { return typeOf(&context_, leaf); });
}

SmallVector<Type> Importer::parameterTypes(const Computation &computation) {
  SmallVector<Type> types;
  for (unsigned parameter : computation.parameters)
    llvm::append_range(types, typesOf(computation.instructions[parameter].shape));
  return types;
}

/// A region reads the values of `captured` where it has as many as the computation has parameters, as fusions do;
/// else it has arguments with the names of the parameters.
void Importer::addRegion(Operation *op, const Computation &computation, ArrayRef<Value> captured, bool isProgram) {
  OpBuilder::InsertionGuard guard(builder_);
  // The op has as many regions as it calls computations in regions; this is the next one that is empty.
  Region &region = *llvm::find_if(op->getRegions(), [](Region &each) { return each.empty(); });
  Block &block = region.emplaceBlock();
  SmallVector<Value> arguments(captured);
  if (TypeRange(ValueRange(captured)) != TypeRange(parameterTypes(computation))) {
    for (unsigned parameter : computation.parameters) {
      const Instruction &instruction = computation.instructions[parameter];
      for (Type type : typesOf(instruction.shape))
        block.addArgument(type, locationOf(instruction));
    }
    arguments.assign(block.args_begin(), block.args_end());
  }
  Leaves results = fill(block, computation, arguments, isProgram);
  OperationState end(place(computation.instructions[computation.root].at), "hlo.return");
  end.addOperands(results);
  builder_.create(end);
}

/// `index=1`.
Leaves Importer::element(const Instruction &instruction, const Computation &computation, ArrayRef<Leaves> known) {
  std::optional<int64_t> index = numberIn(instruction.attribute("index"));
  const Shape *tuple =
      instruction.operands.size() == 1 ? &computation.instructions[instruction.operands.front()].shape : nullptr;
  const Shape::Element *element = tuple && index && *index >= 0 ? tuple->element(*index) : nullptr;
  if (!element) {
    refuse(instruction, "the operand of 'get-tuple-element' is no tuple with an element of this index");
    return {};
  }
  ArrayRef<Value> leaves = known[instruction.operands.front()];
  return Leaves(leaves.slice(element->firstLeaf, element->endLeaf - element->firstLeaf));
}

/// The source line that the metadata names.
void Importer::addSource(const Instruction &instruction, OperationState &state) {
  std::string file = metadataOf(instruction, "source_file");
  std::string line = metadataOf(instruction, "source_line");
  if (std::optional<int64_t> frame = numberIn(metadataOf(instruction, "stack_frame_id")); frame && *frame >= 0)
    if (auto found = module_.frames.find(unsigned(*frame)); found != module_.frames.end()) {
      file = found->second.file.str();
      line = std::to_string(found->second.line);
    }
  if (!file.empty())
    state.attributes.set("source", builder_.getStringAttr(file + (line.empty() ? "" : ":" + line)));
}

void Importer::addAttributes(const Instruction &instruction, ArrayRef<Call> calls, OperationState &state) {
  for (const WrittenAttribute &attribute : instruction.attributes) {
    if (attribute.name == "metadata")
      continue;
    SmallVector<mlir::Attribute> called;
    bool isInRegion = false;
    for (const Call &call : calls) {
      if (call.attribute != attribute.name)
        continue;
      const Placement &placement = placements_[call.computation];
      isInRegion |= placement.kind == Placement::Region;
      if (placement.kind == Placement::Word)
        called.push_back(builder_.getStringAttr(placement.word));
      else if (placement.kind == Placement::Function)
        called.push_back(FlatSymbolRefAttr::get(&context_, module_.computations[call.computation].name));
    }
    if (called.size() == 1)
      state.attributes.set(attribute.name, called.front());
    else if (!called.empty())
      state.attributes.set(attribute.name, builder_.getArrayAttr(called));
    else if (!isInRegion)
      state.attributes.set(attribute.name, attributeOf(&context_, attribute.value));
  }
  addSource(instruction, state);
}

static Leaves flatten(ArrayRef<Leaves> operands) {
  Leaves all;
  for (const Leaves &operand : operands)
    llvm::append_range(all, operand);
  return all;
}

/// What the region of call number `call` reads, if it is not handed on from round to round: all operands, or of a
/// conditional the one of its branch.
static Leaves capturedBy(const Instruction &instruction, size_t call, ArrayRef<Leaves> operands) {
  if (instruction.opcode == "while")
    return {};
  if (instruction.opcode != "conditional")
    return flatten(operands);
  return call + 1 < operands.size() ? operands[call + 1] : Leaves();
}

Operation *Importer::makeOp(const Instruction &instruction, ArrayRef<Leaves> operands, bool isProgram) {
  std::string name = "hlo." + instruction.opcode.str();
  std::replace(name.begin(), name.end(), '-', '_');
  OperationState state(locationOf(instruction), name);
  SmallVector<Type> types = typesOf(instruction.shape);
  state.addTypes(types);
  SmallVector<Call, 2> calls = callsOf(module_, instruction);
  addAttributes(instruction, calls, state);
  if (instruction.opcode == "constant" && !types.empty())
    state.attributes.set("value", literalOf(&context_, instruction.literal, types.front()));
  auto isRegion = [&](const Call &call) { return placements_[call.computation].kind == Placement::Region; };
  auto captures = [&](const Call &call) { return isRegion(call) && call.kind != CallKind::Payload; };
  bool isCaptured = !calls.empty() && llvm::all_of(calls, captures) && instruction.opcode != "while";
  // A conditional still reads which branch it takes.
  size_t read = !isCaptured ? operands.size() : instruction.opcode == "conditional" && !operands.empty() ? 1 : 0;
  state.addOperands(flatten(operands.take_front(read)));
  for (unsigned i = 0, count = llvm::count_if(calls, isRegion); i < count; ++i)
    state.addRegion();
  Operation *op = builder_.create(state);
  for (auto [index, call] : llvm::enumerate(calls))
    if (isRegion(call))
      addRegion(op, module_.computations[call.computation],
                isCaptured ? capturedBy(instruction, index, operands) : Leaves(),
                isProgram && call.kind == CallKind::Control);
  return op;
}

/// An op around the one of an instruction that is a kernel by itself.
Operation *Importer::makeKernel(const Instruction &instruction, ArrayRef<Leaves> operands, bool isProgram) {
  OperationState state(locationOf(instruction), kXlaKernel);
  state.addTypes(typesOf(instruction.shape));
  state.addRegion();
  Operation *kernel = builder_.create(state);
  OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(&kernel->getRegion(0).emplaceBlock());
  Operation *op = makeOp(instruction, operands, isProgram);
  OperationState end(place(instruction.at), "hlo.return");
  end.addOperands(op->getResults());
  builder_.create(end);
  return kernel;
}

Leaves Importer::convert(const Instruction &instruction, const Computation &computation, ArrayRef<Leaves> known,
                         bool isProgram) {
  if (instruction.opcode == "get-tuple-element")
    return element(instruction, computation, known);
  SmallVector<Leaves> operands;
  for (unsigned operand : instruction.operands)
    operands.push_back(known[operand]);
  if (instruction.opcode == "tuple")
    return flatten(operands);
  bool isAlone = isProgram && hasKernels_ && isKernel(instruction);
  Operation *op = isAlone ? makeKernel(instruction, operands, isProgram) : makeOp(instruction, operands, isProgram);
  return Leaves(op->getResults());
}

Leaves Importer::fill(Block &block, const Computation &computation, ValueRange arguments, bool isProgram) {
  builder_.setInsertionPointToEnd(&block);
  std::vector<Leaves> known(computation.instructions.size());
  for (unsigned parameter : computation.parameters) {
    size_t count = computation.instructions[parameter].shape.leaves.size();
    known[parameter] = Leaves(arguments.take_front(count));
    arguments = arguments.drop_front(count);
  }
  for (auto [index, instruction] : llvm::enumerate(computation.instructions)) {
    if (instruction.opcode == "parameter")
      continue;
    known[index] = convert(instruction, computation, known, isProgram);
    if (known[index].size() != instruction.shape.leaves.size())
      refuse(instruction,
             "the shape of '" + instruction.name.str() + "' has another number of elements than its operands");
    if (!problem_.empty())
      return {};
  }
  return known[computation.root];
}

void Importer::addFunction(unsigned index) {
  const Computation &computation = module_.computations[index];
  SmallVector<Type> inputs = parameterTypes(computation);
  auto function =
      builder_.create<func::FuncOp>(place(computation.at), computation.name, builder_.getFunctionType(inputs, {}));
  if (index != module_.entry)
    function.setPrivate();
  OpBuilder::InsertionGuard guard(builder_);
  Block &block = *function.addEntryBlock();
  unsigned argument = 0;
  for (unsigned parameter : computation.parameters) {
    const Instruction &instruction = computation.instructions[parameter];
    for (size_t leaf = 0; leaf < instruction.shape.leaves.size(); ++leaf)
      block.getArgument(argument++).setLoc(locationOf(instruction));
  }
  Leaves returned = fill(block, computation, block.getArguments(), placements_[index].isProgram);
  if (!problem_.empty())
    return;
  // The tuple at the root may spell other layouts than what is in it.
  function.setFunctionType(builder_.getFunctionType(inputs, ValueRange(returned).getTypes()));
  builder_.create<func::ReturnOp>(place(computation.instructions[computation.root].at), returned);
}

OwningOpRef<ModuleOp> Importer::run() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(FileLineColLoc::get(file_, 1, 1));
  if (!module_.name.empty())
    module->setSymName(module_.name);
  for (const WrittenAttribute &attribute : module_.attributes)
    (*module)->setAttr("hlo." + attribute.name.str(), attributeOf(&context_, attribute.value));
  (*module)->setAttr(kXlaModule, builder_.getBoolAttr(hasKernels_));
  for (unsigned index = 0; index < module_.computations.size() && problem_.empty(); ++index) {
    builder_.setInsertionPointToEnd(module->getBody());
    if (placements_[index].kind == Placement::Function)
      addFunction(index);
  }
  return problem_.empty() ? std::move(module) : OwningOpRef<ModuleOp>();
}

} // namespace

bool isHloText(StringRef text) {
  Cursor cursor(text);
  return cursor.consumeWord("HloModule");
}

llvm::Expected<OwningOpRef<ModuleOp>> importHlo(MLIRContext &context, StringRef text, StringRef file,
                                                std::string &warning) {
  auto parsed = parseModule(text, file);
  if (!parsed)
    return parsed.takeError();
  if (parsed->secondModule)
    warning = "another HloModule begins in line " +
              std::to_string(LineTable(text).positionOf(parsed->secondModule).line) +
              "; only the first one is read: write each to a file of its own";
  loadTolerantDialects(context, {"hlo"});
  context.getOrLoadDialect<func::FuncDialect>();
  Importer importer(context, *parsed, text, file);
  OwningOpRef<ModuleOp> module = importer.run();
  if (module)
    return module;
  auto position = LineTable(text).positionOf(importer.problemAt());
  return fail("cannot open '" + shortPath(file) + "': " + importer.problem(),
              {{.message = importer.problem(),
                .file = file.str(),
                .line = position.line,
                .column = position.column,
                .sourceLine = quotable(lineOf(text, position.line))}});
}

} // namespace fuselage
