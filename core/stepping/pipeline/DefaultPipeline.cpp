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
  outlining->teaches = "Most layers of this model are equal. Dispatches are therefore outlined and merged before "
                       "tiling, so that each distinct one is tiled once. " +
                       outlining->teaches;
  std::rotate(steps.begin(), outlining, outlining + 2);
}

std::vector<PipelineStep> defaultPipeline(const TargetOptions &options, std::optional<PipelineStep> tuned,
                                          bool outlinesFirst) {
  std::vector<PipelineStep> steps = {
      {.title = "Clean up",
       .pipeline = kCleanUp.str(),
       .teaches =
           "Brings the input into the form that the later steps expect: canonicalization folds constants, drops dead "
           "ops and rewrites each op into its simplest form; arithmetic on whole tensors becomes a linalg.generic, "
           "from which dispatches are formed; common subexpression elimination merges ops that compute the same value. "
           "Exported models contain plenty of all three. Look at the op histogram: ops that disappear here cost "
           "nothing later, and a transpose or reshape that survives will need its own dispatch."},
      {.title = "Form dispatches",
       .pipeline = kFormDispatches.str(),
       .teaches =
           "Decides which ops share a kernel. Each dispatch grows from a root op (a contraction, a "
           "convolution or a reduction): the elementwise ops that consume its result join it, and "
           "cheap producers (fill, empty, broadcast) are cloned into it, since computing them "
           "again costs less than reading them from memory. A slice becomes a view inside each dispatch that reads it. "
           "A concatenation and the elementwise ops before it form a dispatch, in which each op writes to its part of "
           "the result. Every value that still crosses a dispatch boundary goes through device memory. Look at the "
           "edges between the boxes: their bytes are the traffic that fusion did not save."},
      {.title = "Fuse elementwise ops",
       .pipeline = kFuseWithinDispatches.str(),
       .teaches = "Inside each dispatch, chains of elementwise ops become one linalg.generic whose body "
                  "holds all their arithmetic. The intermediate tensors disappear, and with them a read "
                  "and a write of every element. Look at the bodies of the remaining generics, and at "
                  "the indexing maps: a broadcast or a transpose has become a map instead of a copy. An op that "
                  "unpacks weights of a few bits stays separate: in the body of a matmul it would unpack each element "
                  "again for every product; tiled in the reduction loop, it unpacks each element once."},
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
          .teaches =
              "Exporters wrap a module: functions of their own dialect, buffers that are imported and exported behind "
              "fences, weights in variables, helpers in private functions. Passes would miss these: a pass on "
              "func.func does not see a util.func, and no pass can fuse across a call, or knows the type of a tensor "
              "behind an opaque buffer view. This step keeps only the computation: functions become func.func, helpers "
              "are inlined, imported buffers and weights become tensor arguments, an attention op is decomposed into "
              "contractions, and ops of StableHLO and TOSA become equivalent linalg ops; arithmetic on whole tensors "
              "becomes a "
              "linalg.generic. The input stays as you opened it; from here on you see a copy. Look at the function's "
              "signature: its inputs come first, then every weight by its name."};
}

} // namespace fuselage
