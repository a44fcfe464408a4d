#include "core/stepping/pipeline/DefaultPipeline.h"
#include "core/codegen/CodegenSteps.h"
#include "core/ir/layers/EqualLayers.h"
#include "core/transforms/foreign/NormalizeForeign.h"

namespace fuselage {

/// Moves the outlining of dispatches and the merging of equal ones, which follow each other, to the front.
static void outlineFirst(std::vector<PipelineStep> &steps, const CodegenPipelines &pipelines) {
  auto outlining = llvm::find_if(steps, [&](const PipelineStep &step) { return step.pipeline == pipelines.outline; });
  if (steps.end() - outlining < 2 || outlining[1].pipeline != pipelines.mergeEqual)
    return;
  outlining->teaches =
      "Most layers of this model are equal: dispatches are outlined, and equal ones merged, before they "
      "are tiled, so that each is tiled once. " +
      outlining->teaches;
  std::rotate(steps.begin(), outlining, outlining + 2);
}

std::vector<PipelineStep> defaultPipeline(const TargetOptions &options, std::optional<PipelineStep> tuned,
                                          bool outlinesFirst) {
  std::vector<PipelineStep> steps = {
      {.title = "Clean up",
       .pipeline = kCleanUp.str(),
       .teaches = "Brings the input into the form that the later steps expect: canonicalization folds "
                  "constants, drops dead ops and rewrites each op into its simplest spelling; arithmetic on "
                  "whole tensors becomes a linalg.generic, the form that dispatches are made of; common "
                  "subexpression elimination merges ops that compute the same value. Exporters leave "
                  "plenty of all that behind. Look at the op histogram: what disappears here costs nothing "
                  "later, and a transpose or reshape that survives will need a dispatch of its own."},
      {.title = "Form dispatches",
       .pipeline = kFormDispatches.str(),
       .teaches =
           "Decides which ops share a kernel. Each dispatch grows from a root op (a contraction, a "
           "convolution or a reduction): the elementwise ops that consume its result join it, and "
           "cheap producers (fill, empty, broadcast) are cloned into it, since computing them "
           "again costs less than reading them from memory. A slice becomes a view inside of who reads it, and a "
           "concatenation a dispatch with the elementwise ops before it, which write to their parts of it. Every "
           "value that still crosses a "
           "dispatch border goes through device memory. Look at the edges between the boxes: "
           "their bytes are the traffic that fusion did not save."},
      {.title = "Fuse elementwise ops",
       .pipeline = kFuseWithinDispatches.str(),
       .teaches = "Inside each dispatch, chains of elementwise ops become one linalg.generic whose body "
                  "holds all their arithmetic. The intermediate tensors disappear, and with them a read "
                  "and a write of every element. Look at the bodies of the remaining generics, and at "
                  "the indexing maps: a broadcast or a transpose has become a map instead of a copy. An op that "
                  "unpacks weights of a few bits stays by itself: in the body of a matmul it would unpack an "
                  "element again for every product; as a tile of the reduction loop it does so once."},
  };
  if (tuned)
    steps.push_back(std::move(*tuned));
  std::vector<PipelineStep> codegen = codegenSteps(options);
  if (outlinesFirst)
    outlineFirst(codegen, codegenPipelines(options));
  llvm::append_range(steps, std::move(codegen));
  return steps;
}

bool isOfEqualLayers(mlir::ModuleOp module) {
  constexpr size_t leastLayers = 4;
  bool found = false;
  module.walk([&](mlir::func::FuncOp function) {
    if (found || function.isExternal())
      return;
    size_t repeated = 0;
    for (const EqualLayers &layers : findEqualLayers(function, leastLayers))
      repeated += (layers.count() - 1) * layers.period();
    found = 2 * repeated > function.getBody().front().getOperations().size();
  });
  return found;
}

PipelineStep normalizationStep() {
  return {.title = "Normalize",
          .pipeline = ("builtin.module(" + kNormalizationPass + ")").str(),
          .teaches = "The module comes with wrapping: functions of an exporter's own dialect, buffers that "
                     "are "
                     "imported and exported behind fences, weights in variables, helpers in private "
                     "functions. "
                     "Passes look for what they know: a pass on func.func does not see a util.func, and no "
                     "pass "
                     "can fuse across a call or type a tensor that hides behind an opaque buffer view. This "
                     "step "
                     "keeps what the program computes: functions become those of the func dialect, helpers "
                     "are "
                     "inlined, imported buffers and weights become tensor arguments, an attention in one op "
                     "becomes the contractions that it stands for, and ops of TOSA those of linalg that do "
                     "the same; "
                     "arithmetic on whole tensors becomes a linalg.generic. What you opened stays as it was "
                     "in the input; "
                     "from here on it is a copy. Look at the function's signature: its inputs come first, "
                     "then "
                     "every weight by its name."};
}

} // namespace fuselage
