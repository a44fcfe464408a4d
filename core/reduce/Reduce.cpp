#include "core/reduce/Reduce.h"
#include "core/bisect/FusionJudge.h"
#include "core/ir/ops/ValueNames.h"
#include "core/reduce/FindSymptom.h"
#include "core/reduce/Reducer.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace fuselage {
namespace {

/// What a pass makes of the module, in a copy of the process; null: it fails, or does not run on it.
OwningOpRef<ModuleOp> moduleAfter(Reducer &reducer, const char *pass, const FaultLimits &limits) {
  MLIRContext *context = reducer.module().getContext();
  auto unit = parsePipeline(pass, *context);
  auto end = unit ? tryPasses(reducer.module(), *unit, limits, /*wantsOutput=*/true)
                  : llvm::Expected<PipelineEnd>(unit.takeError());
  if (!end) {
    llvm::consumeError(end.takeError());
    return {};
  }
  if (end->fault || !end->verifies)
    return {};
  DiagnosticCapture capture(*context);
  return parseSourceString<ModuleOp>(end->output, ParserConfig(context, /*verifyAfterParse=*/false));
}

/// Passes that make modules smaller without a change of what they mean.
bool trySimplifications(Reducer &reducer, const FaultLimits &limits) {
  bool any = false;
  for (const char *pass : {"symbol-dce", "inline", "cse", "canonicalize"})
    if (OwningOpRef<ModuleOp> module = moduleAfter(reducer, pass, limits))
      any |= reducer.tryModule(std::move(module), pass);
  return any;
}

/// Drops dimensions of size 1. Arguments are of fewer ranks then, too.
bool tryFewerRanks(Reducer &reducer, const CutLimits &limits, const FaultLimits &faultLimits) {
  OwningOpRef<ModuleOp> module = moduleAfter(reducer, "linalg-fold-unit-extent-dims,cse", faultLimits);
  if (!module || !reshapeCut(limits).cut(*module))
    return false;
  const PlacedCut arguments = argumentCut();
  arguments.cut(*module, llvm::BitVector(arguments.count(*module), true));
  return reducer.tryModule(std::move(module), "ranks are fewer");
}

bool tryGroups(Reducer &reducer, const std::vector<std::vector<WholeCut>> &groups) {
  bool any = false;
  for (const std::vector<WholeCut> &group : groups)
    any |= reducer.tryGroup(group);
  return any;
}

/// All kinds of cuts, what saves most first.
bool tryAllCuts(Reducer &reducer, const CutLimits &limits, const FaultLimits &faultLimits) {
  bool any = reducer.tryPlaced(symbolCut(limits));
  any |= reducer.tryWhole(nestedModuleCut());
  any |= tryFewerRanks(reducer, limits, faultLimits); // passes drop what has no results any more
  any |= reducer.tryPlaced(sliceCut(limits));
  any |= reducer.tryPlaced(resultCut(limits));
  any |= reducer.tryPlaced(argumentCut());
  any |= trySimplifications(reducer, faultLimits);
  any |= reducer.tryGroup(staticCuts(reducer.module()));
  any |= tryGroups(reducer, sizeCuts(reducer.module()));
  for (Substitute how : {Substitute::Operand, Substitute::BlockArgument, Substitute::Constant})
    any |= reducer.tryPlaced(substituteCut(how));
  any |= reducer.tryPlaced(unwrapCut());
  any |= reducer.tryPlaced(dialectCut());
  any |= reducer.tryWhole(unusedOperandCut());
  any |= reducer.tryPlaced(mergeCut());
  any |= reducer.tryPlaced(argumentCut());
  any |= reducer.tryPlaced(splatCut());
  any |= reducer.tryPlaced(attributeCut());
  any |= reducer.tryPlaced(inherentAttributeCut());
  any |= tryGroups(reducer, elementTypeCuts(reducer.module()));
  return any;
}

/// A pass that hangs costs each cut all the time that it is given, so cuts are given less. What is left in the end is
/// asked for all of it.
constexpr unsigned kShortMilliseconds = 100;

bool isHang(const Symptom &symptom) {
  return symptom.kind == SymptomKind::Fault && symptom.fault.kind == FaultKind::Hang;
}

void search(Reducer &reducer, const SymptomTest &test, const ReduceOptions &options) {
  CutLimits limits;
  limits.isRun = [&test](llvm::StringRef function) { return test.isRun(function); };
  limits.keepsMeaning = test.symptom().kind == SymptomKind::WrongResults;
  reducer.tryGroup(staticCuts(reducer.module()));
  // First of all what makes the program fast to run: a cut of sizes is judged at the sizes that it leaves.
  tryGroups(reducer, sizeCuts(reducer.module()));
  tryFewerRanks(reducer, limits, options.symptom.limits);
  reducePasses(reducer, options.symptom.limits);
  while (tryAllCuts(reducer, limits, options.symptom.limits) && !reducer.isOver())
    if (reducer.passes().size() > 1)
      dropPasses(reducer);
  reducePatterns(reducer, options.symptom.limits);
}

std::string printed(ModuleOp module, const OpPrintingFlags &flags) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, flags);
  return text;
}

/// The fault's message has sizes, types and names in it, which are others now.
llvm::Error readMessageAgain(Reduction &reduction, ModuleOp module, const FaultLimits &limits) {
  if (reduction.symptom.kind != SymptomKind::Fault || isHang(reduction.symptom))
    return llvm::Error::success();
  auto fault = faultOf(module, reduction.passes, limits);
  if (!fault)
    return fault.takeError();
  reduction.symptom.fault = std::move(*fault);
  return llvm::Error::success();
}

/// Prints the module so that what is printed shows the same: as people read it if that does, else with all that there
/// is.
llvm::Error print(Reduction &reduction, SymptomTest &test, const FaultLimits &limits) {
  MLIRContext *context = reduction.module->getContext();
  // The ends of an edge are known by their names.
  const bool hasNames = reduction.symptom.kind == SymptomKind::LostFusion;
  const OpPrintingFlags plain = hasNames ? withValueNames() : OpPrintingFlags();
  const OpPrintingFlags forms[] = {plain, OpPrintingFlags().printGenericOpForm(),
                                   OpPrintingFlags().printGenericOpForm().enableDebugInfo()};
  for (const OpPrintingFlags &form : forms) {
    std::string text = printed(*reduction.module, form);
    DiagnosticCapture capture(*context);
    constexpr char name[] = "reduced.mlir";
    auto module = parseSourceString<ModuleOp>(text, ParserConfig(context, /*verifyAfterParse=*/false), name);
    if (!module)
      continue;
    if (hasNames)
      keepValueNames(*module, text, name);
    auto shows = test.shows(*module, reduction.passes);
    if (!shows)
      return shows.takeError();
    if (!*shows)
      continue;
    reduction.text = std::move(text);
    return readMessageAgain(reduction, *module, limits);
  }
  reduction.text = printed(*reduction.module, forms[0]);
  reduction.note +=
      (reduction.note.empty() ? "" : "; ") +
      std::string("the text does not show the fault when it is read again: the module shows it in memory");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Reduction> reduce(ModuleOp input, std::vector<PassUnit> passes, const ReduceOptions &wanted) {
  OwningOpRef<ModuleOp> copy(input.clone());
  ModuleOp module = *copy;
  ReduceOptions options = wanted;
  if (!options.symptom.producer.empty())
    if (llvm::Error error = nameEdge(module, options.symptom.producer, options.symptom.consumer))
      return std::move(error);
  auto found = findSymptom(module, passes, options.symptom);
  if (!found)
    return found.takeError();
  SymptomTest &test = *found->test;
  Reduction reduction;
  reduction.symptom = test.symptom();
  reduction.opsBefore = countOpsIn(module);
  reduction.passesBefore = passes.size();
  passes.resize(found->passes);
  for (unsigned milliseconds = isHang(test.symptom()) ? kShortMilliseconds : 0;; milliseconds = 0) {
    test.setMilliseconds(milliseconds);
    Reducer reducer(OwningOpRef<ModuleOp>(module.clone()), passes, test, options);
    search(reducer, test, options);
    reduction.tried += reducer.tried();
    test.setMilliseconds(0);
    if (milliseconds > 0) {
      auto shows = test.shows(reducer.module(), reducer.passes());
      if (!shows)
        return shows.takeError();
      if (!*shows)
        continue; // it was slow only
    }
    reduction.taken = reducer.taken();
    reduction.passes = reducer.passes().vec();
    reduction.module = OwningOpRef<ModuleOp>(reducer.module().clone());
    reduction.isComplete = !reducer.isOver();
    reduction.note = reducer.why();
    break;
  }
  reduction.opsAfter = countOpsIn(*reduction.module);
  // Ctrl-C has ended the search: what was found is still to be written.
  if (!reduction.isComplete)
    reduction.text = printed(*reduction.module, OpPrintingFlags());
  else if (llvm::Error error = print(reduction, test, options.symptom.limits))
    return std::move(error);
  return reduction;
}

} // namespace fuselage
