#include "core/emulator/Decoder.h"
#include "core/emulator/Elementwise.h"
#include "core/ir/module/Diagnostics.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace fuselage::emulator {

llvm::Error Decoder::refuse(Operation *op, const llvm::Twine &why) {
  std::string place = formatPosition(positionOf(op));
  return fail((llvm::Twine(place) + (place.empty() ? "'" : ": '") + op->getName().getStringRef() + "': " + why).str());
}

ElementRun &Decoder::reuseRun(uint32_t count, bool isWide) {
  auto &free = free_[{isWide, count}];
  if (free.empty())
    return newRun(count, isWide);
  ElementRun *run = free.back();
  free.pop_back();
  run->references = 1;
  run->definer = nullptr;
  return *run;
}

ElementRun &Decoder::newRun(uint32_t count, bool isWide) {
  uint32_t &next = isWide ? program.words : program.singles;
  ElementRun &run = runs_.emplace_back();
  run = {next, count, isWide, 1};
  auto &owners = isWide ? runOfWord_ : runOfSingle_;
  owners.resize(next + count, &run);
  next += count;
  return run;
}

ElementId Decoder::newElement(bool isWide, bool isUniform) { return {newRun(1, isWide).first, isWide, isUniform}; }

ElementId Decoder::constant(uint64_t bits, bool isWide) {
  auto [known, isNew] = constants_.try_emplace({bits, unsigned(isWide)});
  if (isNew) {
    ElementId id = newElement(isWide, true);
    constants_[{bits, unsigned(isWide)}] = id;
    program.constants.push_back({id, bits});
    if (isWide)
      wordConstants_[id.index] = bits;
    return id;
  }
  return known->second;
}

std::optional<uint64_t> Decoder::constantOf(ElementId id) const {
  auto found = wordConstants_.find(id.index);
  return id.isWide && found != wordConstants_.end() ? std::optional(found->second) : std::nullopt;
}

llvm::Expected<ElementIds> Decoder::define(Value value, bool isUniform, Instruction *definer) {
  DecodedValue decoded;
  if (auto buffer = dyn_cast<MemRefType>(value.getType())) {
    ElementRun &run = reuseRun(3 + 2 * uint32_t(buffer.getRank()), true);
    for (uint32_t i = 0; i < run.count; ++i)
      decoded.elements.push_back({run.first + i, true, false});
    decoded.runs.push_back(&run);
    return values_[value] = decoded, decoded.elements;
  }
  auto form = formOf(value.getType());
  auto count = elementCount(value.getType(), subgroupSize);
  Operation *op = value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
  if (!form || !count)
    return refuse(op, "the emulator has no form of values of this type");
  ElementRun &run = reuseRun(*count, form->isWide());
  run.definer = definer;
  for (uint32_t i = 0; i < *count; ++i)
    decoded.elements.push_back({run.first + i, form->isWide(), isUniform});
  decoded.runs.push_back(&run);
  values_[value] = decoded;
  return decoded.elements;
}

void Decoder::alias(Value value, ElementIds elements) {
  DecodedValue decoded;
  for (ElementId id : elements) {
    ElementRun *run = (id.isWide ? runOfWord_ : runOfSingle_)[id.index];
    if (llvm::is_contained(decoded.runs, run))
      continue;
    ++run->references;
    decoded.runs.push_back(run);
  }
  decoded.elements = std::move(elements);
  values_[value] = std::move(decoded);
}

void Decoder::release(const DecodedValue &value) {
  for (ElementRun *run : value.runs)
    if (--run->references == 0)
      free_[{run->isWide, run->count}].push_back(run);
}

DecodedValue Decoder::import(Value value) {
  DecodedValue decoded;
  for (ElementId outer : ElementIds(around_->elementsOf(value))) {
    if (auto bits = around_->constantOf(outer)) {
      decoded.elements.push_back(constant(*bits));
      continue;
    }
    ElementId inner = newElement(outer.isWide, true);
    program.imports.emplace_back(outer, inner);
    decoded.elements.push_back(inner);
  }
  return decoded;
}

const DecodedValue &Decoder::valueOf(Value value) {
  auto found = values_.find(value);
  if (found != values_.end())
    return found->second;
  return values_[value] = around_ ? import(value) : DecodedValue{.elements = {constant(0)}};
}

void Decoder::needLanes(ArrayRef<ElementId> elements) {
  for (ElementId id : elements) {
    ElementRun *run = id.isUniform ? (id.isWide ? runOfWord_ : runOfSingle_)[id.index] : nullptr;
    if (run && run->definer)
      run->definer->isBroadcast = true;
  }
}

ElementIds Decoder::lanesOf(Value value) {
  ElementIds elements(elementsOf(value));
  needLanes(elements);
  return elements;
}

void Decoder::emitLanes(Operation *op, const LaneOperation &operation, ElementIds result, ArrayRef<ElementIds> operands,
                        bool isUniform) {
  if (!isUniform)
    for (const ElementIds &operand : operands)
      needLanes(operand);
  auto &made = emit<Elementwise>(op, operation, std::move(result), operands);
  made.isUniform = isUniform;
  // Those that were defined without knowing by whom.
  for (ElementId id : made.result())
    (id.isWide ? runOfWord_ : runOfSingle_)[id.index]->definer = isUniform ? &made : nullptr;
}

ElementId Decoder::emitWord(llvm::StringRef name, ElementId a, ElementId b) {
  bool isUniform = a.isUniform && b.isUniform;
  ElementId result = newElement(true, isUniform);
  emitLanes(nullptr, integerOperation(name, {}), {result}, {{a}, {b}}, isUniform);
  return result;
}

ElementId Decoder::add(ElementId a, ElementId b) {
  auto left = constantOf(a), right = constantOf(b);
  if (left && right)
    return constant(*left + *right);
  if (left && *left == 0)
    return b;
  return right && *right == 0 ? a : emitWord("arith.addi", a, b);
}

ElementId Decoder::multiply(ElementId a, ElementId b) {
  auto left = constantOf(a), right = constantOf(b);
  if (left && right)
    return constant(*left * *right);
  if ((left && *left == 0) || (right && *right == 1))
    return a;
  return (right && *right == 0) || (left && *left == 1) ? b : emitWord("arith.muli", a, b);
}

BufferParts Decoder::partsOf(Value buffer) {
  ArrayRef<ElementId> elements = elementsOf(buffer);
  size_t rank = (elements.size() - 3) / 2;
  return {elements[0], elements[1], elements[2], elements.slice(3, rank), elements.slice(3 + rank, rank)};
}

llvm::Error Decoder::defineRoot(Value value, MemRefType type, ElementId number) {
  int64_t offset = 0;
  SmallVector<int64_t> strides;
  if (type.hasStaticShape() && type.getNumElements() == 0)
    strides.assign(type.getRank(), 0); // it has none, and nobody gets anywhere by them
  else if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)) ||
           ShapedType::isDynamic(offset) || llvm::any_of(strides, ShapedType::isDynamic))
    return fail("a buffer has a size or layout that is not known before it runs: give sizes");
  ElementIds elements{number, constant(0), constant(uint64_t(offset))};
  for (int64_t size : type.getShape())
    elements.push_back(constant(uint64_t(size)));
  for (int64_t stride : strides)
    elements.push_back(constant(uint64_t(stride)));
  values_[value] = {.elements = std::move(elements)};
  return llvm::Error::success();
}

llvm::Error Decoder::allocate(Value value, MemRefType type, Buffer::Kind kind, llvm::StringRef name,
                              std::string initial) {
  auto form = formOf(type.getElementType());
  auto count = elementCount(type.getElementType());
  Operation *op = value.getDefiningOp() ? value.getDefiningOp() : value.getParentBlock()->getParentOp();
  if (!form || !count || !type.hasStaticShape())
    return refuse(op, "the emulator has no form of this memory: its size or its elements are not known");
  unsigned elementBytes = form->bytes * *count;
  uint64_t elements = 1;
  for (int64_t size : type.getShape())
    elements = llvm::SaturatingMultiply<uint64_t>(elements, size);
  ElementId number = newElement(true, true);
  program.allocations.push_back({.number = number,
                                 .kind = kind,
                                 .type = type,
                                 .bytes = llvm::SaturatingMultiply<uint64_t>(elements, elementBytes),
                                 .elementBytes = elementBytes,
                                 .granule = form->bytes,
                                 .name = name.str(),
                                 .initial = std::move(initial)});
  return defineRoot(value, type, number);
}

ElementId Decoder::inputOf(LaunchValue value, unsigned dimension) {
  auto [known, isNew] = inputs_.try_emplace({unsigned(value), dimension});
  if (isNew) {
    bool varies = llvm::is_contained(
        {LaunchValue::ThreadId, LaunchValue::GlobalId, LaunchValue::LaneId, LaunchValue::SubgroupId}, value);
    known->second = newElement(true, !varies);
    program.inputs.push_back({value, dimension, known->second});
  }
  return known->second;
}

llvm::Error Decoder::defineGlobal(Value value, Operation *global, llvm::function_ref<llvm::Error()> make) {
  if (auto known = globals_.find(global); known != globals_.end()) {
    values_[value] = known->second;
    return llvm::Error::success();
  }
  if (llvm::Error error = make())
    return error;
  globals_[global] = values_[value];
  return llvm::Error::success();
}

void Decoder::bind(Value parameter, Value outside) {
  values_[parameter] = import(outside);
  bound_[parameter] = outside;
}

void Decoder::noteWrite(Value buffer) {
  if (isHost())
    return;
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  if (Value outside = bound_.lookup(buffer))
    program.writtenRoots.push_back(outside);
  else if (body_ && !body_->isAncestor(buffer.getParentRegion()))
    program.writtenRoots.push_back(buffer);
  else if (!isa_and_nonnull<memref::AllocOp, memref::AllocaOp, gpu::DynamicSharedMemoryOp>(buffer.getDefiningOp()))
    program.writesAnything = true; // such as a buffer that a loop hands on
}

llvm::Error Decoder::decode(Operation *op) {
  using Family = llvm::Expected<bool> (*)(Decoder &, Operation *);
  constexpr Family families[] = {decodeArithmetic, decodeAffine,   decodeVector,         decodeVectorReduction,
                                 decodeAccess,     decodeTransfer, decodeAtomic,         decodeView,
                                 decodeControl,    decodeSubgroup, decodeSubgroupMatrix, decodeNvgpu,
                                 decodeHost};
  for (Family family : families) {
    auto known = family(*this, op);
    if (!known)
      return known.takeError();
    if (*known)
      return llvm::Error::success();
  }
  return refuse(op);
}

llvm::Error Decoder::decode(Block &block, Code &code) {
  Code *outer = code_;
  code_ = &code;
  // After which op each value of the block is dead.
  llvm::DenseMap<Operation *, SmallVector<Value>> dying;
  for (Operation &op : block)
    for (Value result : op.getResults()) {
      Operation *last = &op;
      for (Operation *user : result.getUsers())
        if (Operation *here = block.findAncestorOpInBlock(*user); here && last->isBeforeInBlock(here))
          last = here;
      dying[last].push_back(result);
    }
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (llvm::Error error = decode(&op))
      return error;
    for (Value value : dying.lookup(&op))
      if (auto found = values_.find(value); found != values_.end()) {
        release(found->second);
        values_.erase(found);
      }
  }
  for (const Instruction *instruction : code.instructions)
    if (!instruction->isUniform)
      code.weight += instruction->weight;
  code_ = outer;
  return llvm::Error::success();
}

} // namespace fuselage::emulator
