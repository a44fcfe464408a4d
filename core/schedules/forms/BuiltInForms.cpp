// The built-in forms: what each is, what it implies, and the sequences that bring IR there.
#include "core/schedules/forms/Checkers.h"

namespace fuselage {
namespace {

/// A form as it is written down here.
struct Row {
  llvm::StringLiteral name, summary;
  std::vector<llvm::StringRef> implies;
  void (*check)(mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches);
  std::vector<llvm::StringRef> bodies; ///< of the normalizers, over %func
  llvm::StringLiteral onOp = "";
};

// Patterns and CSE run until neither finds anything.
#define FUSELAGE_OP "!transform.any_op"
constexpr llvm::StringLiteral kCanonicalize = "transform.apply_patterns to %func {\n"
                                              "  transform.apply_patterns.canonicalization\n"
                                              "} {apply_cse} : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kSimplifyLoops =
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.linalg.tiling_canonicalization\n"
    "  transform.apply_patterns.scf.for_loop_canonicalization\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n"
    "%loops = transform.structured.match interface{LoopLikeInterface} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.apply_licm to %loops : " FUSELAGE_OP "\n"
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.linalg.tiling_canonicalization\n"
    "  transform.apply_patterns.scf.for_loop_canonicalization\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kSink = "transform.fuselage.sink_into_loops %func : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kGeneralize =
    "%ops = transform.structured.match interface{LinalgOp} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "%generics = transform.structured.generalize %ops : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kSpecialize =
    "%generics = transform.structured.match ops{[\"linalg.generic\"]} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.foreach %generics : " FUSELAGE_OP " {\n"
    "^bb0(%generic: " FUSELAGE_OP "):\n"
    "  transform.sequence %generic : " FUSELAGE_OP " failures(suppress) {\n"
    "  ^bb0(%one: " FUSELAGE_OP "):\n"
    "    %named = transform.structured.specialize %one : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "  }\n"
    "}\n";
constexpr llvm::StringLiteral kFoldUnitDims =
    "%ops = transform.structured.match interface{LinalgOp} in %func : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "%generics = transform.structured.generalize %ops : (" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices\n"
    "  transform.apply_patterns.canonicalization\n"
    "} {apply_cse} : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kGiveDestinations =
    "transform.apply_patterns to %func {\n"
    "  transform.apply_patterns.tensor.decompose_concat\n"
    "} : " FUSELAGE_OP "\n"
    "%made = transform.structured.match ops{[\"tensor.pad\", \"tensor.generate\", \"tensor.from_elements\"]} in %func "
    ": "
    "(" FUSELAGE_OP ") -> " FUSELAGE_OP "\n"
    "transform.foreach %made : " FUSELAGE_OP " {\n"
    "^bb0(%each: " FUSELAGE_OP "):\n"
    "  transform.sequence %each : " FUSELAGE_OP " failures(suppress) {\n"
    "  ^bb0(%one: " FUSELAGE_OP "):\n"
    "    %written = transform.structured.rewrite_in_destination_passing_style %one : (" FUSELAGE_OP ") -> " FUSELAGE_OP
    "\n"
    "  }\n"
    "}\n"
    "transform.fuselage.give_destinations %func : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kCloneForReaders = "transform.fuselage.clone_for_readers %func : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kInsertCopies = "transform.fuselage.insert_copies %func : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kOutline = "transform.fuselage.outline_dispatches %func : " FUSELAGE_OP "\n";
constexpr llvm::StringLiteral kMapForalls = "transform.fuselage.map_foralls %func : " FUSELAGE_OP "\n";
#undef FUSELAGE_OP

void checkNothing(mlir::FunctionOpInterface, std::vector<FormBreach> &) {}

/// Each after those that it implies.
const std::vector<Row> &rows() {
  static const std::vector<Row> table = {
      {"AnyForm", "Nothing is required.", {}, checkNothing, {}},
      {"CanonicalForm", "Canonicalization and CSE change nothing.", {"AnyForm"}, checkCanonical, {kCanonicalize}},
      {"LoopForm",
       "Loops contain no loop-invariant ops, and MLIR cannot simplify loops and slices further.",
       {"CanonicalForm"},
       checkLoops,
       {kSimplifyLoops, kSimplifyLoops}},
      {"PerfectForNestForm",
       "An scf.for that contains one scf.for contains nothing else, and only passes loop-carried values through.",
       {"CanonicalForm"}, // what depends on the outer loop only is in the inner one, where LoopForm would not have it
       checkPerfectForNests,
       {kSimplifyLoops, kSink}},
      {"ForallNestForm",
       "An scf.forall that contains one scf.forall contains nothing else, and no scf.forall is inside an scf.for.",
       {"CanonicalForm"},
       checkForallNests,
       {kSimplifyLoops, kSink}},
      {"ForAllForNestForm",
       "An scf.for or scf.forall that contains one loop of either kind contains nothing else, and an scf.for only "
       "passes loop-carried values through.",
       {"CanonicalForm"},
       checkLoopNests,
       {kSimplifyLoops, kSink}},
      {"GeneralizedForm",
       "Every linalg op is a linalg.generic.",
       {"AnyForm"},
       checkGeneralized,
       {kGeneralize},
       "transform.structured.generalize"},
      {"NamedForm",
       "No linalg.generic could be written as a named op.",
       {"AnyForm"},
       checkNamed,
       {kSpecialize},
       "transform.structured.specialize"},
      {"UnitDimFreeForm",
       "No linalg op has a loop of one iteration.",
       {"AnyForm"},
       checkUnitDimFree,
       {kFoldUnitDims, kFoldUnitDims}},
      {"DestinationStyleForm",
       "Every op on tensors writes into a given destination: a slice, an argument, an empty tensor, or the result of "
       "another op.",
       {"AnyForm"},
       checkDestinations,
       {kGiveDestinations}},
      {"SingleUseElementwiseForm",
       "Only one op reads the result of an elementwise linalg op.",
       {"AnyForm"}, // and not CanonicalForm: CSE makes one of two that compute the same
       checkSingleUse,
       {kCloneForReaders}},
      {"BufferizableInPlaceForm",
       "One-Shot Bufferize writes every op's result in place: all necessary copies are already explicit.",
       {"AnyForm"},
       checkInPlace,
       {kInsertCopies, kInsertCopies}},
      {"OneDispatchForm",
       "The ops of a function form one dispatch, or none.",
       {"AnyForm"},
       checkOneDispatch,
       {kOutline}},
      {"GpuMappedForm",
       "Every outermost scf.forall is mapped to blocks or threads of a GPU, or is inside a gpu.launch.",
       {"AnyForm"},
       checkGpuMapped,
       {kMapForalls}},
  };
  return table;
}

Normalizer normalizerOf(const Row &row, unsigned stage) {
  Normalizer normalizer;
  normalizer.name = "fuselage_normalize_to_" + row.name.str() + (stage ? "_" + std::to_string(stage + 1) : "");
  // One function after the other: transform.structured.match takes a handle to a single op only.
  normalizer.text = "transform.named_sequence @" + normalizer.name +
                    "(%funcs: !transform.any_op {transform.readonly}) {\n"
                    "transform.foreach %funcs : !transform.any_op {\n"
                    "^bb0(%func: !transform.any_op):\n" +
                    row.bodies[stage].str() + "}\ntransform.yield\n}\n";
  return normalizer;
}

std::deque<NormalForm> makeForms() {
  std::deque<NormalForm> forms;
  for (const Row &row : rows()) {
    NormalForm form;
    form.name = row.name.str();
    form.summary = row.summary.str();
    form.check = row.check;
    form.onOp = row.onOp.str();
    for (const NormalForm &before : forms)
      if (llvm::is_contained(row.implies, llvm::StringRef(before.name)))
        form.implies.push_back(&before);
    for (unsigned stage = 0; stage < row.bodies.size(); ++stage)
      form.normalizers.push_back(normalizerOf(row, stage));
    forms.push_back(std::move(form));
  }
  return forms;
}

/// "GPU-mapped" and "GpuMappedForm" are the same name.
std::string keyOf(llvm::StringRef name) {
  std::string key = name.lower();
  llvm::erase(key, '-');
  llvm::StringRef shortened = key;
  shortened.consume_back("form");
  return shortened.str();
}

} // namespace

const std::deque<NormalForm> &normalForms() {
  static const std::deque<NormalForm> forms = makeForms();
  return forms;
}

const NormalForm *findForm(llvm::StringRef name) {
  std::string key = keyOf(name);
  for (const NormalForm &form : normalForms())
    if (keyOf(form.name) == key)
      return &form;
  return nullptr;
}

} // namespace fuselage
