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
          .teaches = "In each dispatch, the last op that computes a tensor by loops is cut into tiles: its "
                     "parallel loops become one scf.forall whose iterations are workgroups. The mapping "
                     "attribute (#gpu.block<y>, #gpu.block<x>) says which grid dimension walks which loop; "
                     "the innermost loop goes to x. Look at the tensor.extract_slice ops: they are the tile's "
                     "footprint in every operand, and their sizes against the tile's own size tell how often "
                     "a loaded element is used. Reduction loops are left whole here, since workgroups do not "
                     "talk to each other. " +
                     std::string(sharesDepth ? "Where a product has far fewer tiles than the device has "
                                               "multiprocessors, K is split all the same: several "
                                               "workgroups compute a tile, each stores a partial result, and an op "
                                               "after the loop, soon a kernel of its own, adds these up. "
                                             : "") +
                     "Producers still compute their whole result before the loop. A flow.attention becomes a loop over "
                     "tiles of queries around a loop over tiles of keys, in sizes for this device.",
      },
      {
          .title = "Fuse producers",
          .pipeline = pipelines.fuseProducers,
          .teaches = "Every producer that the loop over workgroups reads slices of moves into it and "
                     "computes just those slices. What used to be a whole tensor in memory between two ops "
                     "becomes a tile that only its workgroup sees: compare the sizes of the tensor.empty ops "
                     "before and after. The price is recompute, where tiles of the consumer overlap in the "
                     "producer; a producer whose tiles would repeat a reduction is therefore not fused and "
                     "keeps a loop, and so a kernel, of its own. Remarks name those.",
      },
      {
          .title = "Tile reductions",
          .pipeline = pipelines.tileReductions,
          .teaches = "The reduction loop of a contraction becomes a serial scf.for inside the workgroup. The "
                     "accumulator tile is carried from step to step as an iter_arg, while each step needs "
                     "a slice of the operands: rows by 32 and 32 by columns, instead of all of K. "
                     "Elementwise producers of the operands, such as a "
                     "transposition or a dequantization, move into the loop with them. The fill that "
                     "initialises the accumulator must stay outside; inside it would reset the accumulator at every "
                     "step, a mistake that verifies and runs.",
      },
      {
          .title = "Promote to workgroup memory",
          .pipeline = pipelines.promote,
          .teaches =
              isOneSubgroup
                  ? "This device runs on a processor: its workgroup memory is cached memory like any other, and a "
                    "barrier changes from one coroutine to the next. Nothing is promoted; a workgroup is one "
                    "subgroup, whose lanes read operands into registers and hand them to each other by shuffles. "
                    "What the loop computes for itself is still computed right into its tile."
                  : "All threads of a workgroup read the same operand tiles, so each tile is copied once "
                    "into workgroup memory and read from there. In the IR a promotion is a "
                    "bufferization.alloc_tensor with memory_space #gpu.address_space<workgroup>; a tile "
                    "that is computed in the loop is computed right into it and costs no copy. Look at the "
                    "total of their sizes: it is what limits how many workgroups a multiprocessor holds at "
                    "once. Operands that are read only once gain nothing and stay where they are.",
      },
      {
          .title = "Outline dispatches",
          .pipeline = pipelines.outline,
          .teaches = "Each dispatch region becomes a private function, @<function>_dispatch_<i>_<name>, and a "
                     "call takes its place. From here on a dispatch is a unit with a signature: the tensors "
                     "that it reads are its arguments, those that it computes its results. Look at the "
                     "arguments: each is a buffer that a kernel will read from global memory, and a tensor "
                     "that one dispatch returns and the next one takes is traffic that fusion did not save.",
      },
      {
          .title = "Merge equal dispatches",
          .pipeline = pipelines.mergeEqual,
          .teaches = "Layers of a model compute the same on other weights, and weights are arguments: outlined, their "
                     "dispatches are equal but for name and number. One function of each stays, with a call for every "
                     "place, so that everything after this is done once for what differs. Look at the calls: a model "
                     "of eighty layers has as many kernels as a model of one. What is alike and stays apart differs in "
                     "a shape, a constant or a tile size.",
      },
      {
          .title = "Bufferize",
          .pipeline = pipelines.bufferize,
          .teaches = "Tensors become memrefs. One-shot bufferization looks at the whole module, lets every "
                     "destination-passing op write in place where no one still needs the old value, and "
                     "inserts an allocation and a copy where someone does. Results turn into output "
                     "parameters, so that the caller owns the memory, but for those whose sizes are only known "
                     "inside: their dispatch hands out the buffer that it made. Arguments are marked read-only, so "
                     "that a kernel can run twice on the same inputs. Look for memref.alloc and memref.copy: "
                     "in workgroup memory they are the promotion of the step before; anywhere else each is a tensor "
                     "that was not eliminated.",
      },
      {
          .title = "Map to GPU",
          .pipeline = pipelines.mapToGpu,
          .teaches =
              isOneSubgroup
                  ? "Loops over workgroups become the grid of a gpu.launch, and a workgroup is one subgroup. Each "
                    "lane takes four neighbouring columns, so that it reads and writes them as one vector, and up to "
                    "16 rows of a contraction: its accumulators stay in registers, and elementwise ops after it "
                    "are computed there, too. Of what all lanes need, each reads a share, and gpu.shuffle "
                    "hands it round. A row that is reduced belongs to a lane; a transposition moves blocks of four by "
                    "four. Look for vector.load and vector.store: every one of them is four trips to memory saved."
                  : "Loops over workgroups become the grid of a gpu.launch, and the ops on a tile are shared "
                    "among the threads of a workgroup. Elementwise ops deal their elements out one after the "
                    "other, so that neighbouring threads touch neighbouring memory and their loads coalesce. " +
                        std::string(!isWide ? "A contraction gives every thread a tile of 4 by 4 results: 8 loads from "
                                              "workgroup memory "
                                              "then feed 16 multiply-adds. "
                                            : "A contraction of f32 numbers gives every thread 8 by 8 results where "
                                              "the tile is large enough: 4 loads "
                                              "of 16 bytes from workgroup memory then feed 64 multiply-adds, and tiles "
                                              "are spread over the banks of that "
                                              "memory, so that neighbouring rows do not meet in one. ") +
                        (hasMatrices ? "Of f16, bf16 and i8 numbers, a warp has parts of 64 by 32 results or so, which "
                                       "matrix instructions "
                                       "(nvgpu.mma.sync) compute 16 by 8 at a time from what nvgpu.ldmatrix reads. "
                                     : "") +
                        (isAhead       ? "Copies to workgroup memory run a step ahead of the loop that needs them "
                                         "(nvgpu.device_async_copy). "
                         : hasMatrices ? "Copies do not run ahead: that takes a device, such as --target-device h100. "
                                       : "") +
                        "Those results are iter_args of the scf.for loops, that is, "
                        "registers, over the whole reduction. Look at the gpu.barrier ops: one stands wherever an "
                        "op touches what other threads have written, or overwrites what they still read. Ops that "
                        "no workgroup loop covers get a kernel each, with one thread an element of the result.",
      },
      {
          .title = spirv ? "Lower to SPIR-V" : "Lower to PTX",
          .pipeline = pipelines.lower,
          .teaches = spirv ? "Kernel bodies move out of the host function into gpu.modules of their own, their "
                             "buffers become one-dimensional, element types take the form they have in memory "
                             "(i1 a byte, int4 two to a byte, bf16 its bits), and math functions that GLSL lacks "
                             "are expanded. Then everything turns into the spirv dialect: buffers are "
                             "spirv.GlobalVariables in StorageBuffer or Workgroup storage, parameter i is "
                             "binding i of descriptor set 0, and the workgroup size is an execution mode of the "
                             "entry point. Look at spirv.ControlBarrier and at the type of each variable: "
                             "logical addressing has no pointer casts, so a buffer can only be read as what it "
                             "is declared to be."
                           : "Kernel bodies move out of the host function into gpu.modules of their own, their "
                             "buffers become one-dimensional, element types take the form they have in memory "
                             "(i1 a byte, int4 two to a byte, bf16 its bits), and math functions come from CUDA's "
                             "libdevice where there is a toolkit; without one those of f32 are expanded, and "
                             "those of f64 refused. The body becomes LLVM IR with NVVM intrinsics for "
                             "thread indices and barriers, and LLVM's NVPTX backend prints the PTX, which is the "
                             "text inside gpu.binary. Look at ld.global.v4 and ld.shared.v4 (vector accesses "
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
