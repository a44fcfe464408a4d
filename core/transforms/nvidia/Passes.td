// Passes for NVIDIA's GPUs. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_NVIDIA_PASSES
#define FUSELAGE_TRANSFORMS_NVIDIA_PASSES

include "mlir/Pass/PassBase.td"

def BoundRegistersPass : Pass<"fuselage-bound-registers", "mlir::ModuleOp"> {
  let summary = "State how many workgroups of a kernel a multiprocessor has to hold";
  let description = [{
    The assembler may give a thread any number of registers, unless a kernel states how many workgroups have to fit on a
    multiprocessor (`nvvm.minctasm`). This pass states as many as leave each thread `registers-per-thread`, if the size of a
    workgroup is known:
    - a quarter more registers if a loop carries 64 registers of results and computes the values that it stores in workgroup
      memory;
    - one workgroup if that needs more registers;
    - at most as many as fit with their threads and memory on a multiprocessor of the module's device (`fuselage.device`).
    Kernels that already state a number are not changed. For chips with instructions on pairs of f32 (compute capability
    10.0), the pass keeps LLVM from forming pairs if a loop carries 64 registers of results of matrix instructions: pairs need
    neighboring registers, which the results do not have.
  }];
  let options = [
    Option<"registersPerThread", "registers-per-thread", "int64_t", /*default=*/"128",
           "32-bit registers of a thread">,
  ];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect"];
}

def MarkNoAliasPass : Pass<"fuselage-mark-noalias", "mlir::ModuleOp"> {
  let summary = "Mark kernel parameters that do not alias as noalias";
  let description = [{
    A parameter of a kernel becomes `llvm.noalias` if every launch passes separate memory for it: an allocation or a
    function argument that no other operand of the launch is a view of. Arguments of a function do not overlap.
    Without `noalias`, LLVM does not move loads before stores, so a thread waits for memory at each of its elements. Kernels
    with a loop that carries 64 registers of results are not changed: they copy tiles ahead, and have no registers for
    earlier loads.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def LowerMatrixOpsPass : Pass<"fuselage-lower-matrix-ops", "mlir::ModuleOp"> {
  let summary = "Lower matrix instructions that upstream's conversion lacks, and reject those that the chip lacks";
  let description = [{
    `nvgpu.mma.sync` on bf16 and i8 becomes `nvvm.mma.sync` on 32-bit registers. Upstream's `convert-nvgpu-to-nvvm`, which
    lowers the others, has no bf16, and its integer accumulators saturate, while those of the IR wrap around. Matrix
    instructions and asynchronous copies that the chip (that of the module's device, or sm_80) lacks are an error here; LLVM
    would end the process.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::vector::VectorDialect"];
}

def PipelineCopiesPass : Pass<"fuselage-pipeline-copies", "mlir::func::FuncOp"> {
  let summary = "Pipeline copies to workgroup memory in the loop that reads them (software pipelining)";
  let description = [{
    Copies of tiles from global to workgroup memory in the serial loop of a launch become asynchronous (`cp.async`, sm_80 and
    newer) and run `stages` - 1 iterations ahead, each into its own buffer: 16 bytes at once for vectors, 4 for single
    elements. One barrier per iteration remains. After it, the copies for this iteration have arrived, and the buffer that the
    previous iteration read may be overwritten. Tiles that are computed instead of copied are not pipelined. There are
    fewer stages if the device's memory (`fuselage.device`; 48 KiB without one) or the number of iterations requires it, and
    no pipelining if that leaves less than two.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"3", "Number of buffers of a tile: 2 to 8">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::gpu::GPUDialect", "mlir::memref::MemRefDialect",
                           "mlir::nvgpu::NVGPUDialect", "mlir::scf::SCFDialect"];
}

def SwizzleWorkgroupMemoryPass : Pass<"fuselage-swizzle-workgroup-memory", "mlir::func::FuncOp"> {
  let summary = "Spread tiles over the banks of workgroup memory";
  let description = [{
    If neighboring threads read 16 bytes each from neighboring rows of a tile, they access the same banks. This pass
    combines the column of an element with three bits of its row by exclusive or, if that reduces the bank conflicts of all
    warps, as evaluated from their index arithmetic. Unlike padding, it needs no memory. It applies to
    tiles of 32-bit elements whose row length is a power of two or a multiple of 32.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect", "mlir::vector::VectorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_NVIDIA_PASSES
