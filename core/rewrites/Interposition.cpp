// Entry points of MLIR's drivers, defined once more: the shared library calls them through its table of symbols, where
// the linker puts the program's own ones. Each tells the watch of its thread, if there is one, and calls MLIR's.
#include "core/rewrites/LinkInterposition.h"
#include "core/rewrites/PatternProbe.h"
#include "core/rewrites/RewriteWatch.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/FoldUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <dlfcn.h>

using namespace mlir;
using fuselage::PatternProbe;
using fuselage::RewriteWatch;

namespace {

/// MLIR's own definition of a function that is defined here.
template <typename Signature> Signature *original(const char *symbol) {
  return reinterpret_cast<Signature *>(dlsym(RTLD_NEXT, symbol));
}

/// The watch, if what happens concerns it.
RewriteWatch *watching() {
  RewriteWatch *watch = RewriteWatch::current();
  return watch && watch->isWatching() ? watch : nullptr;
}

/// Tells a watch what a driver's rewriter does.
class Teller : public RewriterBase::ForwardingListener {
public:
  Teller(RewriteWatch &watch, OpBuilder::Listener *next) : ForwardingListener(next), watch_(watch) {}
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint previous) override {
    watch_.inserted(op);
    ForwardingListener::notifyOperationInserted(op, previous);
  }
  void notifyOperationModified(Operation *op) override {
    watch_.modified(op);
    ForwardingListener::notifyOperationModified(op);
  }
  void notifyOperationErased(Operation *op) override {
    watch_.erased(op);
    ForwardingListener::notifyOperationErased(op);
  }
  void notifyMatchFailure(Location location, function_ref<void(Diagnostic &)> describe) override {
    watch_.reason(location, describe);
    ForwardingListener::notifyMatchFailure(location, describe);
  }

private:
  RewriteWatch &watch_;
};

/// Tells a watch that a driver begins, and that it ends.
class DriverScope {
public:
  DriverScope(RewriteWatch &watch, RewriteWatch::Driver driver, Operation *scope) : watch_(watch) {
    watch.driverBegins(driver, scope);
  }
  ~DriverScope() { watch_.driverEnds(failed_); }
  LogicalResult end(LogicalResult result) {
    failed_ = failed(result);
    return watch_.isDone() ? failure() : result;
  }

private:
  RewriteWatch &watch_;
  bool failed_ = false;
};

/// Around a replacement or erasure of an op by a rewriter.
class ChangeScope {
public:
  ChangeScope(Operation *op, bool replaces) : watch_(RewriteWatch::current()) {
    if (watch_)
      watch_->changeBegins(op, replaces);
  }
  ~ChangeScope() {
    if (watch_)
      watch_->changeEnds();
  }

private:
  RewriteWatch *watch_;
};

/// Whether a driver shall not run any more. It has changed nothing then.
bool isDone(const RewriteWatch *watch, bool *changed = nullptr) {
  if (!watch || !watch->isDone())
    return false;
  if (changed)
    *changed = false;
  return true;
}

/// Runs a conversion of `scope`; `run` runs MLIR's.
LogicalResult convert(Operation *scope, function_ref<LogicalResult()> run) {
  RewriteWatch *watch = watching();
  if (!watch || !scope)
    return run();
  if (isDone(watch))
    return failure();
  DriverScope driver(*watch, RewriteWatch::Driver::Conversion, scope);
  return driver.end(run());
}

/// Whether a probe looks at the patterns of a driver, which shall not run then.
bool isProbed(const FrozenRewritePatternSet &patterns, bool folds, bool *changed = nullptr) {
  PatternProbe *probe = PatternProbe::current();
  if (!probe)
    return false;
  probe->look(patterns, folds);
  if (changed)
    *changed = false;
  return true;
}

Operation *scopeOf(ArrayRef<Operation *> ops) { return ops.empty() ? nullptr : ops.front(); }

} // namespace

//===- Drivers ------------------------------------------------------------===//

LogicalResult PatternApplicator::matchAndRewrite(Operation *op, PatternRewriter &rewriter,
                                                 function_ref<bool(const Pattern &)> canApply,
                                                 function_ref<void(const Pattern &)> onFailure,
                                                 function_ref<LogicalResult(const Pattern &)> onSuccess) {
  static auto *const run = original<LogicalResult(
      PatternApplicator *, Operation *, PatternRewriter &, function_ref<bool(const Pattern &)>,
      function_ref<void(const Pattern &)>, function_ref<LogicalResult(const Pattern &)>)>(
      "_ZN4mlir17PatternApplicator15matchAndRewriteEPNS_9OperationERNS_15PatternRewriterEN4llvm12function_refIFbRKNS_"
      "7PatternEEEENS6_IFvS9_EEENS6_IFNS5_13LogicalResultES9_EEE");
  RewriteWatch *watch = watching();
  if (!watch || !watch->isInDriver())
    return run(this, op, rewriter, canApply, onFailure, onSuccess);
  bool isSettled = false;
  RewriteWatch::Tries tries;
  auto mayApply = [&](const Pattern &pattern) {
    isSettled = false;
    return (!canApply || canApply(pattern)) && watch->patternBegins(pattern, op, tries);
  };
  auto fails = [&](const Pattern &pattern) {
    if (!isSettled)
      watch->patternFails(tries);
    if (onFailure)
      onFailure(pattern);
  };
  auto succeeds = [&](const Pattern &pattern) -> LogicalResult {
    const size_t before = watch->rewriteCount();
    watch->patternSucceeds(tries);
    isSettled = true;
    if (!onSuccess || succeeded(onSuccess(pattern)))
      return success();
    watch->rollBack(before);
    return failure();
  };
  // A conversion's rewriter tells its listener of what it inserts, and of why patterns do not match.
  OpBuilder::Listener *listener = rewriter.getListener();
  Teller teller(*watch, listener);
  if (watch->inConversion())
    rewriter.setListener(&teller);
  LogicalResult result = run(this, op, rewriter, mayApply, fails, succeeds);
  rewriter.setListener(listener);
  return result;
}

LogicalResult mlir::applyPatternsGreedily(Region &region, const FrozenRewritePatternSet &patterns,
                                          GreedyRewriteConfig config, bool *changed) {
  static auto *const run =
      original<LogicalResult(Region &, const FrozenRewritePatternSet &, GreedyRewriteConfig, bool *)>(
          "_ZN4mlir21applyPatternsGreedilyERNS_6RegionERKNS_23FrozenRewritePatternSetENS_19GreedyRewriteConfigEPb");
  if (isProbed(patterns, config.isFoldingEnabled(), changed))
    return success();
  RewriteWatch *watch = watching();
  if (!watch)
    return run(region, patterns, config, changed);
  if (isDone(watch, changed))
    return failure();
  DriverScope driver(*watch, RewriteWatch::Driver::Patterns, region.getParentOp());
  if (!watch->isWatching())
    return run(region, patterns, config, changed);
  Teller teller(*watch, config.getListener());
  return driver.end(run(region, patterns, config.setListener(&teller), changed));
}

LogicalResult mlir::applyOpPatternsGreedily(ArrayRef<Operation *> ops, const FrozenRewritePatternSet &patterns,
                                            GreedyRewriteConfig config, bool *changed, bool *allErased) {
  static auto *const run = original<LogicalResult(ArrayRef<Operation *>, const FrozenRewritePatternSet &,
                                                  GreedyRewriteConfig, bool *, bool *)>(
      "_ZN4mlir23applyOpPatternsGreedilyEN4llvm8ArrayRefIPNS_9OperationEEERKNS_23FrozenRewritePatternSetENS_"
      "19GreedyRewriteConfigEPbS9_");
  if (isProbed(patterns, config.isFoldingEnabled(), changed)) {
    if (allErased)
      *allErased = false;
    return success();
  }
  RewriteWatch *watch = watching();
  if (!watch || ops.empty())
    return run(ops, patterns, config, changed, allErased);
  if (isDone(watch, changed)) {
    if (allErased)
      *allErased = false;
    return failure();
  }
  DriverScope driver(*watch, RewriteWatch::Driver::Patterns, scopeOf(ops));
  if (!watch->isWatching())
    return run(ops, patterns, config, changed, allErased);
  Teller teller(*watch, config.getListener());
  return driver.end(run(ops, patterns, config.setListener(&teller), changed, allErased));
}

void mlir::walkAndApplyPatterns(Operation *op, const FrozenRewritePatternSet &patterns,
                                RewriterBase::Listener *listener) {
  static auto *const run = original<void(Operation *, const FrozenRewritePatternSet &, RewriterBase::Listener *)>(
      "_ZN4mlir20walkAndApplyPatternsEPNS_9OperationERKNS_23FrozenRewritePatternSetEPNS_12RewriterBase8ListenerE");
  if (isProbed(patterns, /*folds=*/false))
    return;
  RewriteWatch *watch = watching();
  if (!watch)
    return run(op, patterns, listener);
  if (isDone(watch))
    return;
  DriverScope driver(*watch, RewriteWatch::Driver::Patterns, op);
  if (!watch->isWatching())
    return run(op, patterns, listener);
  Teller teller(*watch, listener);
  run(op, patterns, &teller);
}

// The forms that take one op call those that take many; where that is not by the table of symbols, only the first
// tells.

LogicalResult mlir::applyPartialConversion(ArrayRef<Operation *> ops, const ConversionTarget &target,
                                           const FrozenRewritePatternSet &patterns, ConversionConfig config) {
  static auto *const run = original<LogicalResult(ArrayRef<Operation *>, const ConversionTarget &,
                                                  const FrozenRewritePatternSet &, ConversionConfig)>(
      "_ZN4mlir22applyPartialConversionEN4llvm8ArrayRefIPNS_9OperationEEERKNS_16ConversionTargetERKNS_"
      "23FrozenRewritePatternSetENS_16ConversionConfigE");
  return convert(scopeOf(ops), [&] { return run(ops, target, patterns, config); });
}

LogicalResult mlir::applyPartialConversion(Operation *op, const ConversionTarget &target,
                                           const FrozenRewritePatternSet &patterns, ConversionConfig config) {
  return applyPartialConversion(ArrayRef(op), target, patterns, config);
}

LogicalResult mlir::applyFullConversion(ArrayRef<Operation *> ops, const ConversionTarget &target,
                                        const FrozenRewritePatternSet &patterns, ConversionConfig config) {
  static auto *const run = original<LogicalResult(ArrayRef<Operation *>, const ConversionTarget &,
                                                  const FrozenRewritePatternSet &, ConversionConfig)>(
      "_ZN4mlir19applyFullConversionEN4llvm8ArrayRefIPNS_9OperationEEERKNS_16ConversionTargetERKNS_"
      "23FrozenRewritePatternSetENS_16ConversionConfigE");
  return convert(scopeOf(ops), [&] { return run(ops, target, patterns, config); });
}

LogicalResult mlir::applyFullConversion(Operation *op, const ConversionTarget &target,
                                        const FrozenRewritePatternSet &patterns, ConversionConfig config) {
  return applyFullConversion(ArrayRef(op), target, patterns, config);
}

LogicalResult mlir::simplifyRegions(RewriterBase &rewriter, MutableArrayRef<Region> regions, bool mergeBlocks) {
  static auto *const run = original<LogicalResult(RewriterBase &, MutableArrayRef<Region>, bool)>(
      "_ZN4mlir15simplifyRegionsERNS_12RewriterBaseEN4llvm15MutableArrayRefINS_6RegionEEEb");
  RewriteWatch *watch = RewriteWatch::current();
  if (!watch)
    return run(rewriter, regions, mergeBlocks);
  if (isDone(watch))
    return failure();
  watch->regionsBegin(regions.empty() ? nullptr : regions.front().getParentOp());
  LogicalResult result = run(rewriter, regions, mergeBlocks);
  watch->regionsEnd(succeeded(result));
  return result;
}

//===- Folds --------------------------------------------------------------===//

static LogicalResult foldWatched(Operation *op, SmallVectorImpl<OpFoldResult> &results,
                                 function_ref<LogicalResult()> fold) {
  RewriteWatch *watch = watching();
  if (!watch || !watch->isDriver())
    return fold();
  if (!watch->mayFold(op))
    return failure();
  if (failed(fold()))
    return failure();
  watch->folded(op, results.empty());
  return success();
}

LogicalResult Operation::fold(SmallVectorImpl<OpFoldResult> &results) {
  static auto *const run = original<LogicalResult(Operation *, SmallVectorImpl<OpFoldResult> &)>(
      "_ZN4mlir9Operation4foldERN4llvm15SmallVectorImplINS_12OpFoldResultEEE");
  return foldWatched(this, results, [&] { return run(this, results); });
}

bool OperationFolder::insertKnownConstant(Operation *op, Attribute value) {
  static auto *const run = original<bool(OperationFolder *, Operation *, Attribute)>(
      "_ZN4mlir15OperationFolder19insertKnownConstantEPNS_9OperationENS_9AttributeE");
  Operation *before = op->getPrevNode();
  Block *block = op->getBlock();
  if (!run(this, op, value))
    return false; // it is gone
  if (RewriteWatch *watch = watching(); watch && (op->getPrevNode() != before || op->getBlock() != block))
    watch->hoisted(op);
  return true;
}

//===- What rewriters do --------------------------------------------------===//

void RewriterBase::eraseOp(Operation *op) {
  static auto *const run =
      original<void(RewriterBase *, Operation *)>("_ZN4mlir12RewriterBase7eraseOpEPNS_9OperationE");
  ChangeScope change(op, /*replaces=*/false);
  run(this, op);
}

void RewriterBase::replaceOp(Operation *op, ValueRange values) {
  static auto *const run = original<void(RewriterBase *, Operation *, ValueRange)>(
      "_ZN4mlir12RewriterBase9replaceOpEPNS_9OperationENS_10ValueRangeE");
  ChangeScope change(op, /*replaces=*/true);
  run(this, op, values);
}

void RewriterBase::replaceOp(Operation *op, Operation *by) {
  static auto *const run =
      original<void(RewriterBase *, Operation *, Operation *)>("_ZN4mlir12RewriterBase9replaceOpEPNS_9OperationES2_");
  ChangeScope change(op, /*replaces=*/true);
  run(this, op, by);
}

void RewriterBase::finalizeOpModification(Operation *op) {
  static auto *const run =
      original<void(RewriterBase *, Operation *)>("_ZN4mlir12RewriterBase22finalizeOpModificationEPNS_9OperationE");
  if (RewriteWatch *watch = watching())
    watch->modificationEnds(op);
  run(this, op);
}

void ConversionPatternRewriter::eraseOp(Operation *op) {
  static auto *const run = original<void(ConversionPatternRewriter *, Operation *)>(
      "_ZN4mlir25ConversionPatternRewriter7eraseOpEPNS_9OperationE");
  ChangeScope change(op, /*replaces=*/false);
  run(this, op);
}

void ConversionPatternRewriter::replaceOp(Operation *op, ValueRange values) {
  static auto *const run = original<void(ConversionPatternRewriter *, Operation *, ValueRange)>(
      "_ZN4mlir25ConversionPatternRewriter9replaceOpEPNS_9OperationENS_10ValueRangeE");
  ChangeScope change(op, /*replaces=*/true);
  run(this, op, values);
}

void ConversionPatternRewriter::replaceOp(Operation *op, Operation *by) {
  static auto *const run = original<void(ConversionPatternRewriter *, Operation *, Operation *)>(
      "_ZN4mlir25ConversionPatternRewriter9replaceOpEPNS_9OperationES2_");
  ChangeScope change(op, /*replaces=*/true);
  run(this, op, by);
}

void ConversionPatternRewriter::replaceOpWithMultiple(Operation *op, SmallVector<SmallVector<Value>> &&values) {
  static auto *const run = original<void(ConversionPatternRewriter *, Operation *, SmallVector<SmallVector<Value>> &&)>(
      "_ZN4mlir25ConversionPatternRewriter21replaceOpWithMultipleEPNS_9OperationEON4llvm11SmallVectorINS4_INS_"
      "5ValueELj6EEELj1EEE");
  ChangeScope change(op, /*replaces=*/true);
  run(this, op, std::move(values));
}

void ConversionPatternRewriter::finalizeOpModification(Operation *op) {
  static auto *const run = original<void(ConversionPatternRewriter *, Operation *)>(
      "_ZN4mlir25ConversionPatternRewriter22finalizeOpModificationEPNS_9OperationE");
  if (RewriteWatch *watch = watching())
    watch->modified(op);
  run(this, op);
}

/// Tells of an op that a builder puts into its block.
static Operation *insertTold(OpBuilder &builder, bool isNew, function_ref<Operation *()> insert) {
  RewriteWatch *watch = watching();
  const bool tells = watch && watch->insertionBegins(builder.getInsertionBlock());
  Operation *op = insert();
  if (tells && isNew)
    watch->created(op);
  if (tells)
    watch->inserted(op);
  return op;
}

// Each of these may have the code of insert() in it.

Operation *OpBuilder::insert(Operation *op) {
  static auto *const run = original<Operation *(OpBuilder *, Operation *)>("_ZN4mlir9OpBuilder6insertEPNS_9OperationE");
  return insertTold(*this, /*isNew=*/false, [&] { return run(this, op); });
}

Operation *OpBuilder::create(const OperationState &state) {
  static auto *const run =
      original<Operation *(OpBuilder *, const OperationState &)>("_ZN4mlir9OpBuilder6createERKNS_14OperationStateE");
  return insertTold(*this, /*isNew=*/true, [&] { return run(this, state); });
}

Operation *OpBuilder::clone(Operation &op, IRMapping &mapping) {
  static auto *const run = original<Operation *(OpBuilder *, Operation &, IRMapping &)>(
      "_ZN4mlir9OpBuilder5cloneERNS_9OperationERNS_9IRMappingE");
  return insertTold(*this, /*isNew=*/true, [&] { return run(this, op, mapping); });
}

Operation *OpBuilder::clone(Operation &op) {
  static auto *const run = original<Operation *(OpBuilder *, Operation &)>("_ZN4mlir9OpBuilder5cloneERNS_9OperationE");
  return insertTold(*this, /*isNew=*/true, [&] { return run(this, op); });
}

/// Tells of an op that came to be.
static Operation *madeBy(Operation *op) {
  if (RewriteWatch *watch = RewriteWatch::current())
    watch->created(op);
  return op;
}

Operation *Operation::create(const OperationState &state) {
  static auto *const run =
      original<Operation *(const OperationState &)>("_ZN4mlir9Operation6createERKNS_14OperationStateE");
  return madeBy(run(state));
}

Operation *Operation::create(Location location, OperationName name, TypeRange resultTypes, ValueRange operands,
                             DictionaryAttr attributes, OpaqueProperties properties, BlockRange successors,
                             unsigned numRegions) {
  static auto *const run = original<Operation *(Location, OperationName, TypeRange, ValueRange, DictionaryAttr,
                                                OpaqueProperties, BlockRange, unsigned)>(
      "_ZN4mlir9Operation6createENS_8LocationENS_13OperationNameENS_9TypeRangeENS_10ValueRangeENS_14DictionaryAttrENS_"
      "16OpaquePropertiesENS_10BlockRangeEj");
  return madeBy(run(location, name, resultTypes, operands, attributes, properties, successors, numRegions));
}

// Copies call the second within MLIR's own file, and nobody is told of that.

Operation *Operation::clone(IRMapping &mapping, CloneOptions options) {
  static auto *const run = original<Operation *(Operation *, IRMapping &, CloneOptions)>(
      "_ZN4mlir9Operation5cloneERNS_9IRMappingENS0_12CloneOptionsE");
  return madeBy(run(this, mapping, options));
}

Operation *Operation::clone(CloneOptions options) {
  static auto *const run =
      original<Operation *(Operation *, CloneOptions)>("_ZN4mlir9Operation5cloneENS0_12CloneOptionsE");
  return madeBy(run(this, options));
}

void fuselage::linkInterposition() {}
