// From dispatches to kernels of a GPU. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_GPU_PASSES
#define FUSELAGE_TRANSFORMS_GPU_PASSES

include "mlir/Pass/PassBase.td"

def PrepareDispatchesPass : Pass<"fuselage-prepare-dispatches", "mlir::func::FuncOp"> {
  let summary = "Mark which buffers of a dispatch may be written, and decompose composite ops";
  let description = [{
    Marks the arguments of dispatches as read-only (`bufferization.writable = false`): a kernel writes
    its results and nothing else, so that it can run again on the same inputs. A dispatch with results of
    dynamic size becomes public: it hands out the buffers that it makes, where others get theirs from the
    caller. Arithmetic on whole tensors in it becomes structured ops, and reductions of floats of 16 bits and fewer
    accumulate in f32 and round once. In all functions, composite ops
    (softmax, concat, pack, unpack) become the structured ops that they stand for.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def BlockedSummationPass : Pass<"fuselage-blocked-summation"> {
  let summary = "Add up long sums of f32 and f64 in blocks (blocked summation)";
  let description = [{
    The rounding error of a sum that a loop adds up term by term in f32 or f64 grows with its length: 40 units in the last
    place for 5,000 terms of one sign. A loop (`scf.for`) that carries such a sum becomes a loop over blocks of 32 to 128
    terms. The sum of a block starts from zero and is added to the whole; more than 32 blocks become blocks again. The error then grows
    with the logarithm of the length (pairwise summation; Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
  }];
  let options = [
    Option<"mostCarried", "most-carried", "unsigned", /*default=*/"256",
           "Loops that carry more values stay as they are: each needs a register for every level of blocks">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def SetKernelAbiPass : Pass<"fuselage-set-kernel-abi", "mlir::ModuleOp"> {
  let summary = "Fix the interface of SPIR-V kernels";
  let description = [{
    Every kernel gets its workgroup size as its SPIR-V execution mode, and parameter i becomes the
    storage buffer at binding i of descriptor set 0. Barriers order buffers too, and a loop that makes
    no round has its initial values as results; the stock conversions do neither.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::spirv::SPIRVDialect"];
}

def MapToGpuPass : Pass<"fuselage-map-to-gpu", "mlir::func::FuncOp"> {
  let summary = "Turn loops over workgroups into kernels whose threads share a tile";
  let description = [{
    Threads, memory and instructions are those of the module's device (`fuselage.device`, see `fuselage-set-device`);
    without one, what every GPU has: 256 threads and 32 KiB of workgroup memory.

    A bufferized `scf.forall` with a `#gpu.block` mapping becomes a `gpu.launch`: its iterations are
    the grid, with the innermost loop on x. The memory of a tile becomes workgroup memory as far as
    that reaches; what does not fit goes to a buffer in global memory, a slice a workgroup, with a
    remark. Every op on the tile is shared among the threads: elements are distributed cyclically, so
    that neighbouring threads touch neighbouring memory; ops with reductions give each
    thread a small tile of results (4 by 4 where operands are reused), which stays in registers over
    the whole reduction, and read four neighbouring elements of workgroup memory at once. A
    `gpu.barrier` stands wherever an op touches what other threads have
    written, or writes what they have read, since the last one.

    Threads with 128 registers and more hold 8 by 8 results, spread over the tile in fours; copies move 16 bytes then, and
    elementwise ops after a reduction run in registers. Contractions whose tiles the device's matrix instructions divide are
    computed by those (`matrix_shapes`: those of subgroups of 32 threads for PTX, cooperative matrices for SPIR-V). On a
    processor that poses as a GPU, a workgroup is one subgroup, whose lanes share what they read by shuffles.
  }];
  let options = [
    Option<"padBytes", "pad-bytes", "int64_t", /*default=*/"0",
           "Bytes that are left free after each row in workgroup memory, so that the rows' elements "
           "do not share a bank: 16 on most devices">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::nvgpu::NVGPUDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def ScalarizeVectorsPass : Pass<"fuselage-scalarize-vectors", "mlir::func::FuncOp"> {
  let summary = "Write vectors out, element by element";
  let description = [{
    SPIR-V's vectors have at most four elements, and read no buffer of scalars. Vectors of any shape become as many
    scalars; what is masked, or may lie outside of a buffer, is read and written under a condition. Elements that are
    repeated are read once. Sums along a vector add in the order of its elements. For kernels that a schedule has
    vectorized; what our own pipeline makes does not need it.
  }];
  let options = [
    Option<"maxLanes", "max-lanes", "int64_t", /*default=*/"65536", "Elements of all vectors together that are written out">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect", "mlir::ub::UBDialect",
                           "mlir::vector::VectorDialect"];
}

def AttributeWorkgroupMemoryPass : Pass<"fuselage-attribute-workgroup-memory", "mlir::ModuleOp"> {
  let summary = "Turn workgroup allocations of kernels into aligned attributions";
  let description = [{
    An allocation that reaches the conversion to NVVM would call `malloc` on the device, and the
    assembler would accept it. A workgroup attribution becomes a `.shared` variable instead, here one
    aligned to 16 bytes, so that four floats can be loaded at once. A kernel that needs more than
    static variables may hold gets one `.extern .shared` array, and its launches say how large it is.
    A kernel that does not say how many workgroups have to fit side by side on a multiprocessor says one,
    so that the assembler does not spill registers for more.
  }];
  let options = [
    Option<"maxStaticBytes", "max-static-bytes", "uint64_t", /*default=*/"49152",
           "Bytes of static variables that the assembler takes">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect"];
}

def LaunchPlainKernelsPass
    : Pass<"fuselage-launch-plain-kernels", "mlir::func::FuncOp"> {
  let summary = "Give every op that is in no kernel yet a kernel of its own";
  let description = [{
    Each linalg op, copy and parallel loop at the top level of a dispatch becomes a `gpu.launch`: the
    parallel iterations are laid out in one line over workgroups and threads, with a bounds check
    where they do not fill the last workgroup; every thread runs the reduction loops of its element
    serially, with the result in registers. Scalar code in between runs in a kernel of one thread,
    and its results reach later kernels through buffers of one element. Constants and index
    arithmetic are repeated in every kernel, so that a kernel sees nothing but buffers and scalar
    arguments. This works for any op and any shape, and is slow: nothing is reused between threads.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"128", "Threads of a workgroup">,
    Option<"indexBits", "index-bitwidth", "unsigned", /*default=*/"32",
           "Bits that the target counts iterations with: 32 or 64">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"];
}

def FlattenKernelBuffersPass : Pass<"fuselage-flatten-kernel-buffers", "mlir::ModuleOp"> {
  let summary = "Make kernel parameters one-dimensional buffers of addressable types";
  let description = [{
    Every load and store of a kernel gets one linear index, computed from the strides and offsets of
    the views it goes through, and element types take the form they have in memory: i1 a byte, i4
    two to a byte, bf16 its bits, index 64 bits, of which a kernel of 32-bit indices reads the low ones. Stores of packed elements that several threads share
    a word of are atomic. Scalar arguments become buffers of one element. The launches see the new
    types through casts. An allocation that is not workgroup memory is an error: it would call the
    device's allocator.
  }];
  let options = [
    Option<"indexBits", "index-bitwidth", "unsigned", /*default=*/"64", "Bits that the kernel counts with: 32 or 64">,
    Option<"vectors", "vectors", "bool", /*default=*/"true",
           "Keep loads and stores of vectors; SPIR-V cannot read a buffer as another type than its own">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
                           "mlir::vector::VectorDialect"];
}

def VectorBuffersPass : Pass<"fuselage-vector-buffers", "mlir::ModuleOp"> {
  let summary = "Make buffers that are moved several elements at a time buffers of vectors";
  let description = [{
    SPIR-V reads a buffer as what it is declared to be. A flat buffer of 32-bit elements, parameter or workgroup memory, all
    of whose accesses are vectors of four at places that are multiples of four, becomes one of such vectors. One of 8-bit or
    16-bit elements, all of whose accesses are vectors of whole words, becomes one of words of 32 bits, or of vectors of two or
    four of them, as many as each access moves. Vectors of other buffers are moved element by element.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect", "mlir::vector::VectorDialect"];
}

def UseVulkanMemoryModelPass : Pass<"fuselage-use-vulkan-memory-model", "mlir::spirv::ModuleOp"> {
  let summary = "Give modules with cooperative matrices the memory model that they need";
  let description = [{
    SPV_KHR_cooperative_matrix asks shaders for Vulkan's memory model. There accesses are seen by other threads only if they say
    so: loads and stores of buffers and of workgroup memory become non-private ones, and barriers make what was written available
    and visible. Modules without such matrices stay as they are. Runs after spirv-update-vce, which would not see what that takes.
  }];
  let dependentDialects = ["mlir::spirv::SPIRVDialect"];
}

def ReadThroughTexelsPass : Pass<"fuselage-read-through-texels", "mlir::spirv::ModuleOp"> {
  let summary = "Read buffers that are not written through texel views";
  let description = [{
    A storage buffer of 32-bit elements, or of vectors of two or four, that the kernel only loads elements of becomes a texel buffer
    at the same binding, and its loads spirv.ImageRead. Drivers that run on a processor fetch texels with vector instructions,
    and read storage buffers lane by lane with a check each; others read both alike, and do not need this.
  }];
  let dependentDialects = ["mlir::spirv::SPIRVDialect"];
}

def LegalizeKernelTypesPass : Pass<"fuselage-legalize-kernel-types", "mlir::ModuleOp"> {
  let summary = "Compute bf16 in f32 and odd integer widths in whole bytes";
  let description = [{
    bf16 values live in f32 registers and are rounded to the nearest bf16 number after every
    operation; integers of 2 to 63 bits live in the next wider register with their upper bits
    cleared, and are sign-extended where an operation reads the sign. The results are those of the
    narrow types, bit for bit.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def LegalizeKernelMathPass : Pass<"fuselage-legalize-kernel-math", "mlir::ModuleOp"> {
  let summary = "Express math functions in what the target computes by itself";
  let description = [{
    Neither target has all functions: GLSL's extended instructions know no `erf`, and PTX without a
    device library knows little more than `sqrt`. The others are expanded or approximated by
    polynomials, to within a few units in the last place of f32. Functions of f16 numbers are
    computed in f32. Functions of f64 numbers that the target does not compute in f64 are an error:
    in f32 they would be wrong. With libdevice, PTX has them all.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"spirv\"", "spirv or nvvm">,
    Option<"libdevice", "libdevice", "bool", /*default=*/"false",
           "Leave to CUDA's device library what it has (nvvm only)">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def LegalizeKernelArithPass : Pass<"fuselage-legalize-kernel-arith", "mlir::ModuleOp"> {
  let summary = "Write out the arithmetic that a target leaves open or computes otherwise";
  let description = [{
    The remainder of floating-point numbers is computed exactly, a few binary digits at a time, where
    a target would derive it from a rounded quotient. For SPIR-V, which leaves the remainder of
    negative integers open, that becomes a division and a multiplication; numbers of f16 are divided in f32, since
    Vulkan leaves the last places of a quotient open; and a condition that chooses between vectors becomes a vector.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"spirv\"", "spirv or nvvm">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"];
}

def LimitLoopRoundsPass : Pass<"fuselage-limit-loop-rounds", "mlir::ModuleOp"> {
  let summary = "Keep the loops of a thread below the rounds that a device makes";
  let description = [{
    Some devices leave loops after a number of rounds, all loops of a thread counted together, and
    go on with what is there: Mesa's llvmpipe after 65535. Where the loops of a kernel may make
    more, the innermost ones are unrolled as long as their code stays small; a kernel that is still
    above the limit is an error at its longest loop. Loops whose end is found only when the kernel
    runs are not counted. The limit is `max_loop_rounds` of the module's device (`fuselage.device`); if that is unknown, 65535.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // FUSELAGE_TRANSFORMS_GPU_PASSES
