// From dispatches to kernels of a GPU. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_GPU_PASSES
#define FUSELAGE_TRANSFORMS_GPU_PASSES

include "mlir/Pass/PassBase.td"

def PrepareDispatchesPass : Pass<"fuselage-prepare-dispatches", "mlir::func::FuncOp"> {
  let summary = "Mark which buffers of a dispatch may be written, and decompose composite ops";
  let description = [{
    Marks the arguments of dispatches as read-only (`bufferization.writable = false`): a kernel writes
    only its results, so that it can run again on the same inputs. A dispatch with results of
    dynamic size becomes public: it returns buffers that it allocates, while others write to buffers of the
    caller. Arithmetic on whole tensors in a dispatch becomes structured ops, and reductions of floats of 16 bits and fewer
    accumulate in f32 and round once. In all functions, composite ops
    (softmax, concat, pack, unpack) are decomposed into structured ops.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def BlockedSummationPass : Pass<"fuselage-blocked-summation"> {
  let summary = "Compute long f32 and f64 sums in blocks (blocked summation)";
  let description = [{
    If a loop adds up an f32 or f64 sum term by term, the rounding error grows with its length: 40 units in the last
    place for 5,000 terms of one sign. This pass turns the loop (`scf.for`) into a loop over blocks of 32 to 128
    terms. The sum of a block starts from zero and is added to the total; more than 32 blocks are blocked again. The
    error then grows with the logarithm of the length (pairwise summation; Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
  }];
  let options = [
    Option<"mostCarried", "most-carried", "unsigned", /*default=*/"256",
           "Loops that carry more values are not changed: each value needs a register per level of blocks">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def SetKernelAbiPass : Pass<"fuselage-set-kernel-abi", "mlir::ModuleOp"> {
  let summary = "Fix the interface of SPIR-V kernels";
  let description = [{
    The workgroup size of every kernel becomes its SPIR-V execution mode, and parameter i becomes the
    storage buffer at binding i of descriptor set 0. Barriers also order accesses to buffers, and a loop without
    iterations returns its initial values; upstream's conversions do neither.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::spirv::SPIRVDialect"];
}

def MapToGpuPass : Pass<"fuselage-map-to-gpu", "mlir::func::FuncOp"> {
  let summary = "Turn loops over workgroups into kernels whose threads share a tile";
  let description = [{
    Threads, memory and instructions are those of the module's device (`fuselage.device`, see `fuselage-set-device`);
    without one, the minimum of all GPUs: 256 threads and 32 KiB of workgroup memory.

    A bufferized `scf.forall` with a `#gpu.block` mapping becomes a `gpu.launch`: its iterations are
    the grid, with the innermost loop on x. Buffers of a tile become workgroup memory; if they do not fit,
    they become buffers in global memory with a slice per workgroup, and a remark says so. Every op on the
    tile is distributed to the threads: elements cyclically, so that neighboring threads access
    neighboring memory. For a reduction, each thread has a small tile of results (4 by 4 if operands are
    reused), which stays in registers during the whole reduction, and reads four neighboring elements of
    workgroup memory at once. A `gpu.barrier` is inserted before an op that reads or writes memory that other
    threads have written, or writes memory that they have read, since the last barrier.

    Threads with at least 128 registers hold 8 by 8 results, in blocks of four that are spread over the tile. Copies then
    move 16 bytes, and elementwise ops after a reduction run in registers. Contractions use the device's matrix instructions
    if their shapes divide the tile (`matrix_shapes`: mma.sync for PTX, cooperative matrices for SPIR-V). For GPU drivers
    that run on a CPU, a workgroup is one subgroup, whose lanes exchange data by shuffles.
  }];
  let options = [
    Option<"padBytes", "pad-bytes", "int64_t", /*default=*/"0",
           "Bytes of padding after each row in workgroup memory, against bank conflicts: 16 on most devices">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::nvgpu::NVGPUDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def ScalarizeVectorsPass : Pass<"fuselage-scalarize-vectors", "mlir::func::FuncOp"> {
  let summary = "Scalarize vectors";
  let description = [{
    SPIR-V's vectors have at most four elements and cannot be loaded from buffers of scalars. Vectors of any shape become
    scalars. Masked accesses, and those that may be out of bounds, become conditional. Repeated elements are read once.
    Reductions of a vector follow the order of its elements. This pass is for kernels that a schedule has vectorized; the
    default pipeline does not need it.
  }];
  let options = [
    Option<"maxLanes", "max-lanes", "int64_t", /*default=*/"65536", "Upper bound for the elements of all vectors together">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect", "mlir::ub::UBDialect",
                           "mlir::vector::VectorDialect"];
}

def AttributeWorkgroupMemoryPass : Pass<"fuselage-attribute-workgroup-memory", "mlir::ModuleOp"> {
  let summary = "Turn workgroup allocations of kernels into aligned attributions";
  let description = [{
    The conversion to NVVM would turn an allocation into a call of `malloc` on the device, which the assembler
    accepts. A workgroup attribution becomes a `.shared` variable instead, here aligned to 16 bytes, so that
    four floats can be loaded at once. If a kernel needs more than `max-static-bytes`, it gets one
    `.extern .shared` array, whose size its launches set. If a kernel does not state how many workgroups have
    to fit on a multiprocessor, the pass states one, so that the assembler does not spill registers for more.
  }];
  let options = [
    Option<"maxStaticBytes", "max-static-bytes", "uint64_t", /*default=*/"49152",
           "Upper bound of the assembler for static variables, in bytes">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect"];
}

def LaunchPlainKernelsPass
    : Pass<"fuselage-launch-plain-kernels", "mlir::func::FuncOp"> {
  let summary = "Turn every op outside kernels into a separate kernel";
  let description = [{
    Each linalg op, copy and parallel loop at the top level of a dispatch becomes a `gpu.launch`. Its
    parallel iterations are distributed linearly to workgroups and threads, with a bounds check if they do
    not fill the last workgroup. Each thread runs the reduction loops of its element serially, with the
    result in registers. Scalar code between these ops runs in a kernel of one thread and passes its results
    to later kernels in buffers of one element. Constants and index arithmetic are repeated in every
    kernel, so that a kernel captures only buffers and scalar arguments. This works for any op and
    any shape, but is slow, since threads reuse nothing.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", /*default=*/"128", "Threads of a workgroup">,
    Option<"indexBits", "index-bitwidth", "unsigned", /*default=*/"32",
           "Index width of the target: 32 or 64">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"];
}

def FlattenKernelBuffersPass : Pass<"fuselage-flatten-kernel-buffers", "mlir::ModuleOp"> {
  let summary = "Flatten kernel parameters to one-dimensional buffers of addressable types";
  let description = [{
    Every load and store of a kernel gets one linear index, computed from the strides and offsets of
    its views. Element types become those in memory: a byte for i1, a byte for two
    i4, the bits of bf16, and 64 bits for index, of which a kernel with 32-bit indices reads the low half. Stores of
    packed elements are atomic, since several threads may write the same word. Scalar arguments become buffers of one
    element. The launches cast their operands to the new types. An allocation outside workgroup memory is an error:
    it would call the device's allocator.
  }];
  let options = [
    Option<"indexBits", "index-bitwidth", "unsigned", /*default=*/"64", "Index width of the kernel: 32 or 64">,
    Option<"vectors", "vectors", "bool", /*default=*/"true",
           "Keep loads and stores of vectors; SPIR-V cannot access a buffer as another type than its own">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
                           "mlir::vector::VectorDialect"];
}

def VectorBuffersPass : Pass<"fuselage-vector-buffers", "mlir::ModuleOp"> {
  let summary = "Convert buffers that are only accessed as vectors to buffers of vectors";
  let description = [{
    SPIR-V accesses a buffer as its declared type. A flat buffer of 32-bit elements (a parameter or workgroup memory)
    becomes a buffer of vectors of four if all of its accesses are vectors of four at multiples of four. A buffer of 8-bit or
    16-bit elements whose accesses are all vectors of whole words becomes a buffer of 32-bit words, or of vectors of two or
    four words if each access moves that many. Vectors in other buffers are accessed element by element.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect", "mlir::vector::VectorDialect"];
}

def UseVulkanMemoryModelPass : Pass<"fuselage-use-vulkan-memory-model", "mlir::spirv::ModuleOp"> {
  let summary = "Give modules with cooperative matrices the memory model that they need";
  let description = [{
    SPV_KHR_cooperative_matrix requires Vulkan's memory model, in which accesses are private unless they are marked. Loads
    and stores of buffers and of workgroup memory become non-private, and barriers make writes available and visible. Modules
    without cooperative matrices are not changed. This pass has to run after spirv-update-vce, which does not know these
    requirements.
  }];
  let dependentDialects = ["mlir::spirv::SPIRVDialect"];
}

def ReadThroughTexelsPass : Pass<"fuselage-read-through-texels", "mlir::spirv::ModuleOp"> {
  let summary = "Read read-only buffers through texel views";
  let description = [{
    A storage buffer of 32-bit elements, or of vectors of two or four, that a kernel only loads from becomes a texel buffer
    at the same binding, and its loads become spirv.ImageRead. Drivers that run on a CPU fetch texels with vector
    instructions, but read storage buffers lane by lane, with a check for each lane. Other drivers do not need this.
  }];
  let dependentDialects = ["mlir::spirv::SPIRVDialect"];
}

def LegalizeKernelTypesPass : Pass<"fuselage-legalize-kernel-types", "mlir::ModuleOp"> {
  let summary = "Compute bf16 in f32 and odd integer widths in whole bytes";
  let description = [{
    bf16 values are kept in f32 registers and rounded to the nearest bf16 number after every operation.
    Integers of 2 to 63 bits are kept in the next wider register with their upper bits cleared, and are
    sign-extended if an operation reads the sign. The results are those of the narrow types, bit for bit.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def LegalizeKernelMathPass : Pass<"fuselage-legalize-kernel-math", "mlir::ModuleOp"> {
  let summary = "Expand math functions that the target lacks";
  let description = [{
    No target has all functions: GLSL's extended instructions have no `erf`, and PTX without a device
    library has little more than `sqrt`. Missing ones are expanded or approximated by polynomials, to within
    a few units in the last place of f32. Functions of f16 are computed in f32. A function of f64 that the
    target lacks in f64 is an error, since the result would be wrong in f32. With libdevice, PTX has all
    functions.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"spirv\"", "spirv or nvvm">,
    Option<"libdevice", "libdevice", "bool", /*default=*/"false",
           "Do not expand functions of CUDA's device library (nvvm only)">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def LegalizeKernelArithPass : Pass<"fuselage-legalize-kernel-arith", "mlir::ModuleOp"> {
  let summary = "Expand arithmetic that the target does not define or computes differently";
  let description = [{
    The floating-point remainder is computed exactly, a few bits at a time; targets would derive it
    from a rounded quotient. SPIR-V does not define the remainder of negative integers, so it becomes
    a division and a multiplication. Also for SPIR-V, f16 numbers are divided in f32, since Vulkan allows larger
    errors for quotients, and the scalar condition of a select of vectors becomes a vector.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"spirv\"", "spirv or nvvm">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect", "mlir::vector::VectorDialect"];
}

def LimitLoopRoundsPass : Pass<"fuselage-limit-loop-rounds", "mlir::ModuleOp"> {
  let summary = "Keep the loops of a thread below the device's iteration limit";
  let description = [{
    Some drivers exit all loops of a thread after a total number of iterations and continue with wrong
    values: Mesa's llvmpipe after 65535. If the loops of a kernel may exceed this, the innermost ones are
    unrolled as long as their code stays small. If a kernel still exceeds the limit, there is an error at its
    longest loop. Loops with dynamic bounds are not counted. The limit is `max_loop_rounds` of the module's device
    (`fuselage.device`); if that is unknown, 65535.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // FUSELAGE_TRANSFORMS_GPU_PASSES
