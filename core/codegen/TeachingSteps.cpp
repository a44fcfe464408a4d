// The code generation steps as the window shows them: what each does, why, and what to look at.
#include "core/codegen/CodegenSteps.h"
#include "core/codegen/Targets.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"

namespace fuselage {

using llvm::StringRef;

/// Puts `pass` at the start of "builtin.module(..)".
static void insertPass(std::string &pipeline, StringRef pass) {
  constexpr StringRef start = "builtin.module(";
  pipeline.insert(start.size(), pass);
}

std::vector<PipelineStep> codegenSteps(const TargetOptions &options) {
  CodegenPipelines pipelines = codegenPipelines(options);
  const std::unique_ptr<TargetStrategy> strategy = strategyFor(options);
  bool spirv = options.target == KernelTarget::Spirv;
  bool isOneSubgroup = strategy->threads().isOneSubgroup();
  bool sharesDepth = strategy->multiprocessors().has_value();
  bool isWide = strategy->threads().holdsLargeTiles, hasMatrices = !strategy->matrixShapes().empty(),
       isAhead = strategy->asyncCopies().has_value();
  std::vector<PipelineStep> steps = {
      {
          .title = "Tile to workgroups",
          .pipeline = pipelines.tileToWorkgroups,
          .teaches =
              "In each dispatch, the last op that computes a tensor with loops is tiled: its parallel loops become one "
              "scf.forall whose iterations are workgroups. The mapping attribute (#gpu.block<y>, #gpu.block<x>) maps "
              "loops to grid dimensions; the innermost loop goes to x. Look at the tensor.extract_slice ops: they are "
              "the tile's footprint in every operand. Compare their sizes with the tile's own size to see how often a "
              "loaded element is used. Reduction loops are not tiled here, since workgroups do not communicate. " +
              std::string(sharesDepth
                              ? "If a product has far fewer tiles than the device has multiprocessors, K is split "
                                "anyway: several workgroups compute a tile, each stores a partial result, and an op "
                                "after the loop, which becomes a separate kernel, adds these up. "
                              : "") +
              "Producers still compute their whole result before the loop. A flow.attention becomes a loop over tiles "
              "of queries around a loop over tiles of keys, with tile sizes for this device.",
      },
      {
          .title = "Fuse producers",
          .pipeline = pipelines.fuseProducers,
          .teaches =
              "If the loop over workgroups reads slices of a producer, the producer moves into the loop and computes "
              "only those slices. A whole tensor in memory between two ops becomes a tile that only its workgroup "
              "sees: compare the sizes of the tensor.empty ops before and after. The cost is recompute, if tiles of "
              "the consumer overlap in the producer. A producer whose tiles would repeat a reduction is therefore not "
              "fused and keeps its own loop, and so its own kernel. Remarks name these.",
      },
      {
          .title = "Tile reductions",
          .pipeline = pipelines.tileReductions,
          .teaches =
              "The reduction loop of a contraction becomes a serial scf.for inside the workgroup. The accumulator tile "
              "is carried from step to step as an iter_arg, while each step needs a slice of the operands: rows by 32 "
              "and 32 by columns, instead of all of K. Elementwise producers of the operands, such as a transpose or a "
              "dequantization, move into the loop with them. The fill that initializes the accumulator must stay "
              "outside. Inside, it would reset the accumulator in every step: a bug that passes the verifier and runs.",
      },
      {
          .title = "Promote to workgroup memory",
          .pipeline = pipelines.promote,
          .teaches = isOneSubgroup
                         ? "This device runs on a CPU: its workgroup memory is ordinary cached memory, and a barrier "
                           "switches from one coroutine to the next. Nothing is promoted; a workgroup is one subgroup, "
                           "whose lanes read operands into registers and exchange them by shuffles. Values that the "
                           "loop itself computes are still computed directly into its tile."
                         : "All threads of a workgroup read the same operand tiles, so each tile is copied once into "
                           "workgroup memory and read from there. In the IR a promotion is a "
                           "bufferization.alloc_tensor with memory_space #gpu.address_space<workgroup>; a tile that is "
                           "computed in the loop is computed directly into it, without a copy. Look at the total of "
                           "their sizes: it limits how many workgroups a multiprocessor holds at once. Operands that "
                           "are read only once gain nothing and are not promoted.",
      },
      {
          .title = "Outline dispatches",
          .pipeline = pipelines.outline,
          .teaches = "Each dispatch region becomes a private function, @<function>_dispatch_<i>_<name>, and is "
                     "replaced by a call. From here on a dispatch has a signature: the tensors that it reads are its "
                     "arguments, the tensors that it computes are its results. Look at the arguments: each is a buffer "
                     "that a kernel will read from global memory. A tensor that one dispatch returns and the next one "
                     "reads is traffic that fusion did not save.",
      },
      {
          .title = "Merge equal dispatches",
          .pipeline = pipelines.mergeEqual,
          .teaches = "The layers of a model compute the same with different weights. Weights are arguments, so after "
                     "outlining, the dispatches of equal layers differ only in name and number. One function of each "
                     "is kept, with a call at every place, so that later steps process each distinct dispatch once. "
                     "Look at the calls: a model with eighty layers has as many kernels as a model with one. Similar "
                     "dispatches that are not merged differ in a shape, a constant or a tile size.",
      },
      {
          .title = "Bufferize",
          .pipeline = pipelines.bufferize,
          .teaches =
              "Tensors become memrefs. One-Shot Bufferize analyzes the whole module, lets every destination-style op "
              "write in place if the old value is no longer needed, and otherwise inserts an allocation and a copy. "
              "Results become output parameters, so that the caller owns the memory, except for results whose sizes "
              "are known only inside: their dispatch returns the buffer that it allocates. Arguments are marked "
              "read-only, so that a kernel can run twice on the same inputs. Look for memref.alloc and memref.copy: in "
              "workgroup memory they come from promotion; anywhere else, each is a tensor that was not eliminated.",
      },
      {
          .title = "Map to GPU",
          .pipeline = pipelines.mapToGpu,
          .teaches =
              isOneSubgroup
                  ? "Loops over workgroups become the grid of a gpu.launch, and a workgroup is one subgroup. Each lane "
                    "handles four neighboring columns, which it reads and writes as one vector, and up to 16 rows of a "
                    "contraction: its accumulators stay in registers, and elementwise ops after it are computed there, "
                    "too. If all lanes need the same data, each lane reads a share, and gpu.shuffle distributes it. "
                    "Each lane reduces whole rows; a transpose moves blocks of four by four. Look for vector.load and "
                    "vector.store: each replaces four scalar accesses."
                  : "Loops over workgroups become the grid of a gpu.launch, and the ops on a tile are distributed to "
                    "the threads of a workgroup. Elementwise ops distribute their elements cyclically, so that "
                    "neighboring threads access neighboring memory and their loads coalesce. " +
                        std::string(!isWide ? "A contraction gives every thread a tile of 4 by 4 results: 8 loads from "
                                              "workgroup memory "
                                              "then feed 16 multiply-adds. "
                                            : "A contraction of f32 numbers gives every thread 8 by 8 results if the "
                                              "tile is large enough: 4 loads of 16 bytes from workgroup memory then "
                                              "feed 64 multiply-adds. Tiles are spread over the banks of workgroup "
                                              "memory, so that neighboring rows do not conflict. ") +
                        (hasMatrices ? "For f16, bf16 and i8, each warp computes about 64 by 32 results with matrix "
                                       "instructions (nvgpu.mma.sync), 16 by 8 at a time, from operands loaded by "
                                       "nvgpu.ldmatrix. "
                                     : "") +
                        (isAhead ? "Copies to workgroup memory run one step ahead of the loop that reads them "
                                   "(nvgpu.device_async_copy). "
                         : hasMatrices
                             ? "Copies do not run ahead: that requires a device, such as --target-device h100. "
                             : "") +
                        "The results of a contraction are iter_args of the scf.for loops, and stay in registers during "
                        "the whole "
                        "reduction. Look at the gpu.barrier ops: there is one before each op that accesses memory that "
                        "other threads have written, or overwrites memory that they still read. Ops outside workgroup "
                        "loops become separate kernels, with one thread per element of the result.",
      },
      {
          .title = spirv ? "Lower to SPIR-V" : "Lower to PTX",
          .pipeline = pipelines.lower,
          .teaches = spirv ? "Kernel bodies move out of the host function into separate gpu.modules, their "
                             "buffers become one-dimensional, element types take the form they have in memory "
                             "(i1 a byte, int4 two to a byte, bf16 its bits), and math functions that GLSL lacks "
                             "are expanded. Then everything is converted to the spirv dialect: buffers are "
                             "spirv.GlobalVariables in StorageBuffer or Workgroup storage, parameter i is binding i of "
                             "descriptor set 0, and the workgroup size is an execution mode of the entry point. Look "
                             "at spirv.ControlBarrier and at the type of each variable: logical addressing has no "
                             "pointer casts, so a buffer can be read only as its declared type."
                           : "Kernel bodies move out of the host function into separate gpu.modules, their "
                             "buffers become one-dimensional, element types take the form they have in memory "
                             "(i1 a byte, int4 two to a byte, bf16 its bits), and math functions come from CUDA's "
                             "libdevice if there is a toolkit; without one, those of f32 are expanded, and those of "
                             "f64 are rejected. The body becomes LLVM IR with NVVM intrinsics for thread indices and "
                             "barriers, and LLVM's NVPTX backend prints the PTX, which is the text inside gpu.binary. "
                             "Look at ld.global.v4 and ld.shared.v4 (vector accesses "
                             "that survived), at the number of fma in the inner loop per load, and at the "
                             ".shared declarations, which add up to the kernel's workgroup memory.",
      },
  };
  if (isAnyDevice(options))
    return steps;
  // Whoever runs the steps attaches a device that the pipeline cannot name.
  if (std::string name = deviceNameOf(options); !name.empty())
    insertPass(steps.front().pipeline, "fuselage-set-device{name=" + name + "},");
  StringRef last = steps.back().pipeline;
  steps.back().pipeline = (last.drop_back() + ",fuselage-drop-device)").str();
  return steps;
}

} // namespace fuselage
