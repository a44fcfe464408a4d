#include "core/schedules/causes/Causes.h"
#include "core/schedules/causes/CauseNotes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::transform;

namespace fuselage {

std::string nameWithLine(Operation *op) {
  unsigned line = positionOf(op->getLoc()).line;
  return "'" + op->getName().getStringRef().str() + "'" + (line > 0 ? " (line " + std::to_string(line) + ")" : "");
}

std::string opsInside(Operation *root) {
  llvm::StringMap<unsigned> counts;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root && !op->hasTrait<OpTrait::IsTerminator>() && !op->hasTrait<OpTrait::ConstantLike>() &&
        !isa<TransformOpInterface>(op))
      ++counts[op->getName().getStringRef()];
    return isa<linalg::LinalgOp, TransformOpInterface>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  std::vector<std::pair<unsigned, StringRef>> sorted;
  for (const auto &entry : counts)
    sorted.emplace_back(entry.second, entry.first());
  llvm::sort(sorted,
             [](const auto &a, const auto &b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  constexpr size_t most = 6;
  std::string text;
  for (const auto &[count, name] : llvm::ArrayRef(sorted).take_front(most))
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name.str();
  return text + (sorted.size() > most ? ", .." : "");
}

namespace {

/// The numbers of `mixed`, whose place in a list of sizes is taken by a handle or a parameter where it is dynamic;
/// nullopt: not known.
std::optional<SmallVector<int64_t>> numbersOf(ArrayRef<OpFoldResult> mixed, const TransformState &state) {
  SmallVector<int64_t> numbers;
  for (OpFoldResult each : mixed) {
    if (std::optional<int64_t> number = getConstantIntValue(each)) {
      numbers.push_back(*number);
      continue;
    }
    auto value = dyn_cast<Value>(each);
    if (!value || !isa<TransformParamTypeInterface>(value.getType()) || state.getParams(value).size() != 1)
      return std::nullopt;
    auto number = dyn_cast<IntegerAttr>(state.getParams(value).front());
    if (!number)
      return std::nullopt;
    numbers.push_back(number.getInt());
  }
  return numbers;
}

/// The ops that a transform takes, where upstream's "failed" or "wrong op kind" does not say.
struct Takes {
  StringLiteral transform, ops;
  bool (*fits)(Operation *op) = nullptr; ///< null: upstream asks more than can be said here
  StringLiteral advice = "";
};

bool isStructured(Operation *op) { return isa<linalg::LinalgOp>(op); }
bool isGeneric(Operation *op) { return isa<linalg::GenericOp>(op); }
bool isFunction(Operation *op) { return isa<FunctionOpInterface>(op); }

const Takes *takes(StringRef transform) {
  static constexpr Takes all[] = {
      {"transform.structured.interchange", "linalg.generic", isGeneric,
       "; transform.structured.generalize makes it one"},
      {"transform.structured.generalize", "linalg ops", isStructured},
      {"transform.structured.specialize", "linalg.generic", isGeneric},
      {"transform.structured.pack", "one linalg op", isStructured},
      {"transform.structured.pack_greedily", "linalg ops", isStructured},
      {"transform.structured.pack_transpose", "linalg.pack or linalg.unpack, and the linalg op that they pack for"},
      {"transform.structured.hoist_pad", "tensor.pad in a loop"},
      {"transform.structured.decompose",
       "convolutions and poolings over two dimensions whose window has size 1 along one of them", nullptr,
       "; tile the window first"},
      {"transform.structured.decompose_interface", "ops that know their own decomposition, such as linalg.softmax"},
      {"transform.structured.convert_conv2d_to_img2col",
       "linalg.conv_2d_nhwc_hwcf, conv_2d_nhwc_fhwc, depthwise_conv_2d_nhwc_hwc and conv_2d_nchw_fchw of static sizes, "
       "without dilation"},
      {"transform.structured.transpose_conv2d", "linalg.conv_2d_nhwc_fhwc and conv_2d_nhwc_fhwc_q"},
      {"transform.structured.transpose_matmul", "linalg.matmul and linalg.batch_matmul"},
      {"transform.structured.block_pack_matmul", "linalg.matmul, batch_matmul and generic ops that are contractions"},
      {"transform.structured.winograd_conv2d",
       "linalg.conv_2d_nhwc_fhwc of static sizes with a window of 3 or 5, stride 1 and no dilation"},
      {"transform.structured.flatten_elementwise", "elementwise linalg ops on contiguous buffers"},
      {"transform.structured.bufferize_to_allocation",
       "tensor.pad, vector.mask and ops with a destination, such as linalg ops"},
      {"transform.structured.hoist_redundant_vector_transfers", "functions", isFunction},
      {"transform.structured.hoist_redundant_vector_broadcasts", "functions", isFunction},
      {"transform.structured.linalg_copy_to_memref", "linalg.copy on buffers"},
      {"transform.structured.insert_slice_to_copy", "tensor.insert_slice and tensor.parallel_insert_slice"},
      {"transform.structured.lower_pack", "linalg.pack"},
      {"transform.structured.lower_unpack", "linalg.unpack"},
      {"transform.structured.vectorize_children_and_apply_patterns", "functions, and vectorizes the ops in them",
       isFunction},
      {"transform.structured.convert_to_loops", "ops that can be tiled, after bufferization"},
      {"transform.gpu.map_nested_forall_to_threads", "gpu.launch with mapped scf.forall loops in it"},
      {"transform.gpu.map_forall_to_blocks", "gpu.launch or, with generate_gpu_launch, functions"},
  };
  const Takes *found = llvm::find_if(all, [&](const Takes &each) { return each.transform == transform; });
  return found == std::end(all) ? nullptr : found;
}

/// Explains the failure of one kind of transform on one op of its payload.
void explainOn(TransformOpInterface transform, Operation *target, const TransformState &state, CauseNotes &notes) {
  auto targetsOf = [&](Value handle) { return llvm::to_vector(state.getPayloadOps(handle)); };
  llvm::TypeSwitch<Operation *>(transform.getOperation())
      .Case([&](VectorizeOp op) {
        if (auto sizes = numbersOf(op.getMixedVectorSizes(), state))
          explainVectorize(target, *sizes, op.getVectorizeNdExtract().value_or(false), notes);
      })
      .Case([&](FuseIntoContainingOp op) {
        if (SmallVector<Operation *> loops = targetsOf(op.getContainingOp()); loops.size() == 1)
          explainFuseInto(target, loops.front(), notes);
      })
      .Case([&](TileUsingForOp op) {
        explainNoLoops(target, notes);
        explainOrder(target, op.getInterchange(), notes);
      })
      .Case([&](FuseOp op) {
        explainNoLoops(target, notes);
        if (auto order = numbersOf(op.getMixedTileInterchange(), state))
          explainOrder(target, *order, notes);
      })
      .Case<TileUsingForallOp, TileReductionUsingForOp, TileReductionUsingForallOp>(
          [&](auto) { explainNoLoops(target, notes); })
      .Case([&](SplitReductionOp op) { explainSplitReduction(target, op.getSplitFactor(), notes); })
      .Case<SplitOp, MultiTileSizesOp, ContinuousTileSizesOp>(
          [&](auto op) { explainDimension(target, op.getDimension(), notes); })
      .Case([&](PadOp op) { explainPadding(target, op.getPaddingValues().size(), notes); })
      .Case([&](PromoteOp) { explainPromote(target, notes); })
      .Case([&](ApplyRegisteredPassOp op) { explainPass(op.getPassName(), target, notes); })
      .Case([&](GetProducerOfOperand op) { explainProducer(target, op.getOperandNumber(), notes); })
      .Case([&](LoopPeelOp) { explainPeel(target, notes); })
      .Case([&](LoopCoalesceOp) { explainNest(target, notes); })
      .Default([&](Operation *op) {
        if (op->getName().getStringRef().starts_with("transform.loop."))
          explainLoop(target, notes);
      });
}

/// That `transform` takes other ops than `target`.
void explainKind(TransformOpInterface transform, Operation *target, CauseNotes &notes) {
  StringRef name = transform->getName().getStringRef();
  const Takes *kind = takes(name);
  if (!kind || (kind->fits && kind->fits(target)))
    return;
  std::string inside = isa<FunctionOpInterface, ModuleOp>(target) ? opsInside(target) : "";
  notes.at(target, name + " takes " + kind->ops + ", not " + nameWithLine(target) +
                       (inside.empty() ? "" : ", which holds " + inside) + kind->advice);
}

/// What the match was for: "'linalg.exp'".
std::string wanted(MatchOp match) {
  std::string names;
  if (std::optional<ArrayAttr> ops = match.getOps())
    for (StringRef name : ops->getAsValueRange<StringAttr>())
      names += (names.empty() ? "'" : " or '") + name.str() + "'";
  return names;
}

/// That the handle `operand` holds nothing, and why.
void explainEmptyHandle(const Script &script, Value operand, const TransformState &state, CauseNotes &notes) {
  std::string name = script.names.lookup(operand);
  auto match = operand.getDefiningOp<MatchOp>();
  if (!match)
    return notes.at(operand.getLoc(), name + " holds no op");
  std::string what = wanted(match), has;
  for (Operation *root : state.getPayloadOps(match.getTarget()))
    has = opsInside(root);
  notes.at(match, name + " holds no op: this matches nothing" +
                      (what.empty() ? "" : ", there is no " + what + " there") +
                      (has.empty() ? "" : "; there are " + has));
}

} // namespace

std::optional<Diagnostic> matchesNothing(TransformOpInterface op, const TransformState &state) {
  auto match = dyn_cast<MatchOp>(op.getOperation());
  if (!match || !match.getOps())
    return std::nullopt;
  llvm::StringSet<> names;
  for (StringRef name : match.getOps()->getAsValueRange<StringAttr>())
    names.insert(name);
  std::string has;
  for (Operation *root : state.getPayloadOps(match.getTarget())) {
    if (root->walk([&](Operation *inner) {
              return names.contains(inner->getName().getStringRef()) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted())
      return std::nullopt;
    has = opsInside(root);
  }
  CauseNotes notes;
  notes.at(match, "this matches nothing: there is no " + wanted(match) + (has.empty() ? "" : "; there are " + has));
  Diagnostic remark = notes.take().front();
  remark.severity = Diagnostic::Severity::Remark;
  return remark;
}

std::vector<Diagnostic> causesOf(const Script &script, TransformOpInterface op, const TransformState &state,
                                 ArrayRef<Diagnostic> reasons) {
  CauseNotes notes;
  if (op->getNumRegions() > 0 && !isa<ApplyPatternsOp>(op.getOperation()))
    return {}; // what it applies says why
  SmallVector<Operation *> targets;
  for (Value operand : op->getOperands()) {
    if (!isa<TransformHandleTypeInterface>(operand.getType()))
      continue;
    size_t before = targets.size();
    if (op->getOperand(0) == operand)
      llvm::append_range(targets, state.getPayloadOps(operand));
    if (targets.size() == before && llvm::range_size(state.getPayloadOps(operand)) == 0)
      explainEmptyHandle(script, operand, state, notes);
  }
  for (Operation *target : targets)
    if (notes.empty())
      explainOn(op, target, state, notes);
  if (notes.empty() && reasons.empty() && !targets.empty())
    explainKind(op, targets.front(), notes);
  std::vector<Diagnostic> causes = notes.take();
  for (const Diagnostic &reason : reasons)
    if (llvm::none_of(causes, [&](const Diagnostic &said) { return said.message == reason.message; }))
      causes.push_back(reason);
  return causes;
}

} // namespace fuselage
