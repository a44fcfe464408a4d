// flow.dispatch.region and flow.return: assembly, verification, canonicalization.
#include "core/dialects/flow/Flow.h"
#include "core/dialects/tolerant/OpenNamespace.h"
#include "core/dialects/tolerant/RawAttr.h"
#include "core/dialects/tolerant/UniversalParser.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace fuselage::flow;

#include "core/dialects/flow/FlowDialect.cpp.inc"

// mlir-tblgen's definitions leave parameters unused.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define GET_OP_CLASSES
#include "core/dialects/flow/FlowOps.cpp.inc"
#pragma GCC diagnostic pop

namespace {

/// Of IREE's flow dialect we know two ops; flow.attention is ours alone.
struct FlowOpenNamespace : fuselage::OpenNamespaceInterface {
  using OpenNamespaceInterface::OpenNamespaceInterface;
  void tolerateUnknown() const override { static_cast<FlowDialect *>(getDialect())->tolerateUnknown(); }
};

} // namespace

void FlowDialect::initialize() {
  addInterfaces<FlowOpenNamespace>();
  addOperations<
#define GET_OP_LIST
#include "core/dialects/flow/FlowOps.cpp.inc"
      >();
}

//===-- Ops that we only read ---------------------------------------------===//

void FlowDialect::tolerateUnknown() {
  if (raw)
    return;
  raw = std::make_shared<RawAttrKind>(getDialectNamespace());
  allowUnknownOperations();
  allowUnknownTypes();
  addAttribute(raw->id(), raw->introduce(*this));
}

std::optional<Dialect::ParseOpHook> FlowDialect::getParseOperationHook(StringRef name) const {
  return raw ? std::optional(ParseOpHook(parseUniversally)) : Dialect::getParseOperationHook(name);
}

llvm::unique_function<void(Operation *, OpAsmPrinter &)> FlowDialect::getOperationPrinter(Operation *op) const {
  return tolerantPrinter(op);
}

Attribute FlowDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  return raw ? raw->parse(parser, type) : Dialect::parseAttribute(parser, type);
}

void FlowDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  RawAttrKind::print(attribute, printer);
}

Type FlowDialect::parseType(DialectAsmParser &parser) const {
  return raw ? fuselage::parseRawType(parser, getDialectNamespace()) : Dialect::parseType(parser);
}

//===----------------------------------------------------------------------===//

/// How many of a type's dimensions are dynamic; 0 for types without a shape.
static int64_t dynamicDimCount(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() ? shaped.getNumDynamicDims() : 0;
}

//===-- Building and access -----------------------------------------------===//

void DispatchRegionOp::build(OpBuilder &builder, OperationState &state, TypeRange resultTypes, ValueRange resultDims,
                             ValueRange workload) {
  state.addTypes(resultTypes);
  state.addOperands(resultDims);
  state.addOperands(workload);
  state.addAttribute(
      getOperandSegmentSizesAttrName(state.name),
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(resultDims.size()), static_cast<int32_t>(workload.size())}));
  state.addRegion()->emplaceBlock();
  state.addRegion();
}

ValueRange DispatchRegionOp::getDynamicDimsOf(unsigned index) {
  size_t first = 0;
  for (Type type : TypeRange(getResultTypes()).take_front(index))
    first += dynamicDimCount(type);
  return ValueRange(getResultDims()).slice(first, dynamicDimCount(getResultTypes()[index]));
}

ReturnOp DispatchRegionOp::getReturn() { return cast<ReturnOp>(getBody().front().getTerminator()); }

LogicalResult DispatchRegionOp::reifyResultShapes(OpBuilder &builder, ReifiedRankedShapedTypeDims &shapes) {
  for (auto [index, type] : llvm::enumerate(getResultTypes())) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped)
      return failure();
    SmallVector<OpFoldResult> sizes;
    ValueRange dynamic = getDynamicDimsOf(index);
    for (int64_t size : shaped.getShape()) {
      if (!ShapedType::isDynamic(size)) {
        sizes.push_back(builder.getIndexAttr(size));
        continue;
      }
      sizes.push_back(dynamic.front());
      dynamic = dynamic.drop_front();
    }
    shapes.push_back(std::move(sizes));
  }
  return success();
}

//===-- Control flow ------------------------------------------------------===//

void DispatchRegionOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &regions) {
  if (point.isParent()) {
    regions.push_back(RegionSuccessor(&getBody()));
    return;
  }
  // The count region is called by whoever launches the dispatch; no control flows through it here.
  if (point.getTerminatorPredecessorOrNull()->getParentRegion() == &getBody())
    regions.push_back(RegionSuccessor(getOperation(), getResults()));
}

void DispatchRegionOp::getRegionInvocationBounds(ArrayRef<Attribute>, SmallVectorImpl<InvocationBounds> &bounds) {
  bounds.emplace_back(1, 1);
  bounds.emplace_back(0, 1);
}

//===-- Verification ------------------------------------------------------===//

LogicalResult DispatchRegionOp::verify() {
  int64_t dynamicDims = 0;
  for (Type type : getResultTypes())
    dynamicDims += dynamicDimCount(type);
  if (dynamicDims != static_cast<int64_t>(getResultDims().size()))
    return emitOpError() << "has " << dynamicDims << " dynamic result dimensions, but names the sizes of "
                         << getResultDims().size();
  return success();
}

/// The count region takes the workload and yields indices.
static LogicalResult verifyCountRegion(DispatchRegionOp op) {
  if (op.getWorkgroupCount().empty())
    return success();
  Block &block = op.getWorkgroupCount().front();
  if (block.getArgumentTypes() != op.getWorkload().getTypes())
    return op.emitOpError("expects one index argument of the count region for each workload value");
  auto terminator = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!terminator)
    return op.emitOpError("expects the count region to end with flow.return");
  if (terminator.getNumOperands() == 0 ||
      !llvm::all_of(terminator.getOperandTypes(), [](Type type) { return type.isIndex(); }))
    return terminator.emitOpError("expects index operands in a count region");
  return success();
}

LogicalResult ReturnOp::verify() {
  Operation *parent = (*this)->getParentOp();
  if (parent && parent->isRegistered() && !isa<DispatchRegionOp, AttentionOp>(parent))
    return emitOpError("expects parent op '")
           << DispatchRegionOp::getOperationName() << "' or '" << AttentionOp::getOperationName() << "'";
  return success();
}

LogicalResult DispatchRegionOp::verifyRegions() {
  Block &block = getBody().front();
  if (block.getNumArguments() != 0)
    return emitOpError("expects a body without arguments");
  auto terminator = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(block.back());
  if (!terminator)
    return emitOpError("expects a body that ends with flow.return");
  // That its operands match the results is RegionBranchOpInterface's to verify.
  return verifyCountRegion(*this);
}

//===-- Assembly ----------------------------------------------------------===//

using Operands = SmallVector<OpAsmParser::UnresolvedOperand>;

/// `(type{dims}, type, ...)`
static ParseResult parseResults(OpAsmParser &parser, SmallVectorImpl<Type> &types, Operands &dims) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    if (parser.parseType(types.emplace_back()))
      return failure();
    int64_t count = dynamicDimCount(types.back());
    Operands own;
    if (count && parser.parseOperandList(own, OpAsmParser::Delimiter::Braces,
                                         /*allowResultNumber=*/true, count))
      return failure();
    dims.append(own);
    return success();
  });
}

/// `count(%a: index, ...) -> (index, ...) { ... }`
static ParseResult parseCount(OpAsmParser &parser, Region &region) {
  if (failed(parser.parseOptionalKeyword("count")))
    return success();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> types;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) || parser.parseArrow() ||
      parser.parseLParen() || parser.parseTypeList(types) || parser.parseRParen())
    return failure();
  return parser.parseRegion(region, arguments);
}

ParseResult DispatchRegionOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands workload, dims;
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  if (succeeded(parser.parseOptionalLSquare()) && (parser.parseOperandList(workload) || parser.parseRSquare()))
    return failure();
  if (succeeded(parser.parseOptionalArrow()) && parseResults(parser, state.types, dims))
    return failure();
  Type index = parser.getBuilder().getIndexType();
  Region *body = state.addRegion();
  Region *count = state.addRegion();
  if (parser.resolveOperands(dims, index, state.operands) || parser.resolveOperands(workload, index, state.operands) ||
      parser.parseRegion(*body))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  if (state.types.empty() && (body->front().empty() || !isa<ReturnOp>(body->front().back()))) {
    OpBuilder builder(parser.getContext());
    builder.setInsertionPointToEnd(&body->front());
    ReturnOp::create(builder, state.location, ValueRange());
  }
  if (parseCount(parser, *count))
    return failure();
  state.addAttribute(getOperandSegmentSizesAttrName(state.name),
                     parser.getBuilder().getDenseI32ArrayAttr(
                         {static_cast<int32_t>(dims.size()), static_cast<int32_t>(workload.size())}));
  return success();
}

void DispatchRegionOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDict((*this)->getAttrs(), {getOperandSegmentSizesAttrName()});
  if (!getWorkload().empty())
    printer << "[" << getWorkload() << "]";
  printer << " -> (";
  for (auto [index, type] : llvm::enumerate(getResultTypes())) {
    printer << (index ? ", " : "") << type;
    if (ValueRange dims = getDynamicDimsOf(index); !dims.empty())
      printer << "{" << dims << "}";
  }
  printer << ") ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  if (getWorkgroupCount().empty())
    return;
  Block &count = getWorkgroupCount().front();
  printer << " count(";
  llvm::interleaveComma(count.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") -> (" << count.getTerminator()->getOperandTypes() << ") ";
  printer.printRegion(getWorkgroupCount(), /*printEntryBlockArgs=*/false);
}

//===-- Canonicalization --------------------------------------------------===//

namespace {

/// Results that nobody uses, and results that are values from outside or repeat another result,
/// need not leave the dispatch.
struct DropUnusedResults : OpRewritePattern<DispatchRegionOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DispatchRegionOp op, PatternRewriter &rewriter) const override {
    ReturnOp terminator = op.getReturn();
    SmallVector<Value> kept, dims;
    llvm::SmallDenseMap<Value, unsigned> keptAt; // the value inside -> its new result number
    for (auto [index, value] : llvm::enumerate(terminator.getOperands())) {
      bool isInside = op.getBody().isAncestor(value.getParentRegion());
      if (!isInside || op.getResult(index).use_empty() || keptAt.contains(value))
        continue;
      keptAt[value] = kept.size();
      kept.push_back(value);
      llvm::append_range(dims, op.getDynamicDimsOf(index));
    }
    if (kept.size() == op.getNumResults())
      return failure();

    auto slim = DispatchRegionOp::create(rewriter, op.getLoc(), ValueRange(kept).getTypes(), dims, op.getWorkload());
    slim->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    SmallVector<Value> replacements;
    for (Value value : terminator.getOperands()) {
      auto it = keptAt.find(value);
      bool isInside = op.getBody().isAncestor(value.getParentRegion());
      replacements.push_back(it != keptAt.end() ? slim.getResult(it->second) : isInside ? Value() : value);
    }
    rewriter.inlineRegionBefore(op.getBody(), slim.getBody(), slim.getBody().begin());
    rewriter.eraseBlock(&slim.getBody().back());
    rewriter.inlineRegionBefore(op.getWorkgroupCount(), slim.getWorkgroupCount(), slim.getWorkgroupCount().begin());
    rewriter.modifyOpInPlace(terminator, [&] { terminator->setOperands(kept); });
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

} // namespace

void DispatchRegionOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropUnusedResults>(context);
}
