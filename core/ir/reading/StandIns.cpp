#include "core/ir/reading/StandIns.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {

static constexpr StringRef kNamespace = "fuselage_stand_in";
static constexpr StringRef kPlace = "fuselage_stand_in.place";
static constexpr StringRef kValues = "fuselage_stand_in.values";
static constexpr StringRef kFence = "fuselage_stand_in.fence";
static constexpr StringRef kIndex = "index";

std::string standInPlace(size_t index, ArrayRef<std::string> operands) {
  return (kPlace + " " + llvm::Twine(index) + "(" + llvm::join(operands, ", ") + ")").str();
}

std::string standInValues(size_t index, StringRef results) {
  // After the fence the results cannot be taken for operands of a `return` in front.
  return (kFence + "\n" + results + " = " + kValues + " " + llvm::Twine(index)).str();
}

/// The type that earlier uses gave to a value; none if there are no uses. The parser tells it where
/// it refuses a use with another type.
static Type typeOfUses(OpAsmParser &parser, StringRef name, unsigned number) {
  MLIRContext *context = parser.getContext();
  Type guess = NoneType::get(context), real;
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    for (DiagnosticArgument &argument : diagnostic.getArguments())
      if (argument.getKind() == DiagnosticArgument::DiagnosticArgumentKind::Type)
        real = argument.getAsType(); // "expects different type than prior uses: 'guess' vs 'real'"
    return success();
  });
  SmallVector<Value, 1> resolved;
  OpAsmParser::UnresolvedOperand use{parser.getNameLoc(), name, number};
  if (succeeded(parser.resolveOperand(use, guess, resolved)))
    return guess;
  return real ? real : guess;
}

/// `(%a, %b)` and `{...} {...}`; after `isolated` the regions do not see the names around.
static ParseResult parseOperandsAndRegions(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
    return failure();
  for (const OpAsmParser::UnresolvedOperand &operand : operands)
    if (parser.resolveOperand(operand, typeOfUses(parser, operand.name, operand.number), state.operands))
      return failure();
  bool isIsolated = succeeded(parser.parseOptionalKeyword("isolated"));
  for (;;) {
    std::unique_ptr<Region> region;
    OptionalParseResult result = parser.parseOptionalRegion(region, /*arguments=*/{}, isIsolated);
    if (!result.has_value())
      return success();
    if (failed(*result))
      return failure();
    state.addRegion(std::move(region));
  }
}

/// `fence`, `place 3(%a) {...}` or `%a, %b:2 = values 3`.
static ParseResult parseStandIn(OpAsmParser &parser, OperationState &state) {
  if (state.name.getStringRef() == kFence)
    return success();
  int64_t index;
  if (parser.parseInteger(index))
    return failure();
  state.addAttribute(kIndex, parser.getBuilder().getI64IntegerAttr(index));
  if (state.name.getStringRef() == kPlace)
    return parseOperandsAndRegions(parser, state);
  for (unsigned i = 0, e = parser.getNumResults(); i < e; ++i) {
    auto [name, number] = parser.getResultName(i);
    std::string full = "%" + name.str();
    // The parser keeps the name of a use that it has not seen before: give it the one in the buffer.
    StringRef inBuffer(name.data() - 1, name.size() + 1);
    state.addTypes(typeOfUses(parser, inBuffer == full ? inBuffer : name, number));
  }
  return success();
}

namespace {
class StandInDialect : public Dialect {
public:
  explicit StandInDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<StandInDialect>()) {
    allowUnknownOperations();
  }
  static StringRef getDialectNamespace() { return kNamespace; }
  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override { return ParseOpHook(parseStandIn); }
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StandInDialect)
};
} // namespace

void loadStandInDialect(MLIRContext &context) { context.getOrLoadDialect<StandInDialect>(); }

/// After a terminator nothing may stand but what the parser added because it saw no terminator last.
static void dropSecondTerminator(Block &block) {
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>() || block.back().getNumOperands())
    return;
  Operation *before = block.back().getPrevNode();
  bool wasTerminated = before && (before->hasTrait<OpTrait::IsTerminator>() || before->hasAttr("ends_block"));
  if (wasTerminated)
    block.back().erase();
}

/// The outermost region from which all ops in `region` see values: up to an isolated op, or one of
/// whose name scopes we know nothing.
static Region *outermostScope(Region *region) {
  for (;;) {
    Operation *op = region->getParentOp();
    if (!op || !op->isRegistered() || op->hasTrait<OpTrait::IsIsolatedFromAbove>() || !op->getParentRegion())
      return region;
    region = op->getParentRegion();
  }
}

/// Defines undefined values once per scope and type.
static void settleUndefined(ArrayRef<Operation *> definitions, ArrayRef<StandIn> table) {
  llvm::MapVector<std::tuple<Region *, StringRef, Type>, Operation *> settled;
  llvm::DenseMap<Region *, Operation *> last; // keep the order of the text
  for (Operation *op : definitions) {
    Region *scope = outermostScope(op->getParentRegion());
    StringRef name = table[op->getAttrOfType<IntegerAttr>(kIndex).getInt()].text;
    OpBuilder builder(op->getContext());
    auto &value = settled[{scope, name, op->getNumResults() == 1 ? op->getResult(0).getType() : Type()}];
    if (value && op->getNumResults() == 1) {
      op->getResult(0).replaceAllUsesWith(value->getResult(0));
    } else {
      if (Operation *previous = last.lookup(scope))
        builder.setInsertionPointAfter(previous);
      else
        builder.setInsertionPointToStart(&scope->front());
      OperationState state(op->getLoc(), kUndefinedOp);
      state.addAttribute("name", builder.getStringAttr(name));
      state.addTypes(op->getResultTypes());
      value = last[scope] = builder.create(state);
      op->replaceAllUsesWith(value->getResults());
    }
    op->erase();
  }
}

/// Whether an op in a gap's region sees the arguments of that region.
static bool seesArguments(Operation *op, Region &region) {
  for (Region *around = op->getParentRegion(); around != &region; around = around->getParentRegion())
    if (around->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
      return false;
  return true;
}

/// The undefined values in the region that are among `names`, as its arguments.
static void addArguments(Region &region, ArrayRef<std::string> names) {
  llvm::StringMap<SmallVector<Operation *>> undefined;
  region.walk([&](Operation *op) {
    if (op->getName().getStringRef() == kUndefinedOp && op->getNumResults() == 1 && seesArguments(op, region))
      undefined[op->getAttrOfType<StringAttr>("name")].push_back(op);
  });
  for (const std::string &name : names) {
    SmallVector<Operation *> definitions = undefined.lookup(name);
    if (definitions.empty())
      continue;
    Type type = definitions.front()->getResult(0).getType();
    Value argument = region.front().addArgument(type, definitions.front()->getLoc());
    for (Operation *op : definitions) {
      if (op->getResult(0).getType() != type)
        continue;
      op->replaceAllUsesWith(ValueRange(argument));
      op->erase();
    }
  }
}

void settleStandIns(ModuleOp module, ArrayRef<StandIn> table) {
  SmallVector<Operation *> places, undefined, fences;
  llvm::DenseMap<int64_t, Operation *> gapValues;
  SmallVector<Block *> touched;
  module.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (name == kFence)
      fences.push_back(op);
    if (name != kPlace && name != kValues)
      return;
    int64_t index = op->getAttrOfType<IntegerAttr>(kIndex).getInt();
    touched.push_back(op->getBlock());
    if (name == kPlace)
      places.push_back(op);
    else if (table[index].isGap)
      gapValues[index] = op;
    else
      undefined.push_back(op);
  });
  for (Operation *fence : fences)
    fence->erase();
  settleUndefined(undefined, table);
  SmallVector<Operation *> terminators;
  for (Operation *place : places) {
    int64_t index = place->getAttrOfType<IntegerAttr>(kIndex).getInt();
    OpBuilder builder(place);
    OperationState state(place->getLoc(), kGapOp);
    state.addAttribute("text", builder.getStringAttr(table[index].text));
    state.addOperands(place->getOperands());
    for (Region &region : place->getRegions())
      state.addRegion()->takeBody(region);
    Operation *values = gapValues.lookup(index);
    if (values)
      state.addTypes(values->getResultTypes());
    if (table[index].endsBlock)
      state.addAttribute("ends_block", builder.getUnitAttr());
    Operation *gap = builder.create(state);
    if (table[index].endsBlock)
      terminators.push_back(gap);
    if (values) {
      values->replaceAllUsesWith(gap->getResults());
      values->erase();
    }
    for (Region &region : gap->getRegions())
      addArguments(region, table[index].arguments);
    place->erase();
  }
  for (Block *block : touched)
    dropSecondTerminator(*block);
  for (Operation *gap : terminators)
    gap->removeAttr("ends_block");
}

} // namespace fuselage
