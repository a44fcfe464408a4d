// What only NVIDIA's GPUs have. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_NVIDIA_PASSES
#define FUSELAGE_TRANSFORMS_NVIDIA_PASSES

include "mlir/Pass/PassBase.td"

def BoundRegistersPass : Pass<"fuselage-bound-registers", "mlir::ModuleOp"> {
  let summary = "Say how many workgroups of a kernel a multiprocessor has to hold";
  let description = [{
    The assembler gives a thread as many registers as it likes, unless a kernel says how many workgroups
    have to fit side by side (`nvvm.minctasm`): then it takes what those leave, and no fewer. Here they
    leave `registers-per-thread` where the threads of a workgroup are known, and everything to a single
    workgroup that needs more; a quarter more where a loop that carries 64 registers of results computes what
    it puts into workgroup memory; and no more workgroups than have their threads and their memory on a multiprocessor of
    the module's device (`fuselage.device`). Kernels that say it themselves stay as they are. For chips with instructions on
    pairs of f32 (compute capability 10.0), LLVM is kept from joining two numbers of f32 where a loop carries
    64 registers of matrix instructions' results: those on pairs want neighbouring registers, and the results lie elsewhere.
  }];
  let options = [
    Option<"registersPerThread", "registers-per-thread", "int64_t", /*default=*/"128",
           "Registers of 32 bits that a thread may take">,
  ];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect"];
}

def MarkNoAliasPass : Pass<"fuselage-mark-noalias", "mlir::ModuleOp"> {
  let summary = "Tell LLVM which buffers of a kernel overlap with no other";
  let description = [{
    A parameter of a kernel becomes `llvm.noalias` if every launch passes memory of its own for it: an allocation, or
    an argument of the function, that no other operand of the launch shows a part of. Arguments of a function have
    buffers of their own. Without it no load moves before a store, so that a thread waits for memory once
    for each of its elements. Kernels with a loop that carries 64 registers of results stay as they are: they copy tiles
    ahead, and have no registers for loads that move.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def LowerMatrixOpsPass : Pass<"fuselage-lower-matrix-ops", "mlir::ModuleOp"> {
  let summary = "Lower matrix instructions that upstream's conversion has not, and refuse what the chip has not";
  let description = [{
    `nvgpu.mma.sync` on bf16 and on integers of 8 bits becomes `nvvm.mma.sync` on registers of 32 bits: upstream's
    `convert-nvgpu-to-nvvm`, which does the rest, has no bf16, and its sums of integers saturate where those of the IR
    wrap around. A kernel with matrix instructions or asynchronous copies for a chip without them is an error here (the chip is that of the
    module's device, or sm_80);
    LLVM would end the process.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::vector::VectorDialect"];
}

def PipelineCopiesPass : Pass<"fuselage-pipeline-copies", "mlir::func::FuncOp"> {
  let summary = "Let copies to workgroup memory run ahead of the loop that works on them";
  let description = [{
    Where the serial loop of a launch copies tiles from global to workgroup memory as they are, the copies become
    asynchronous (`cp.async`, sm_80 and newer) and run `stages` - 1 rounds ahead, each into a buffer of its own: 16
    bytes at once where vectors are copied, 4 where single elements are. One barrier per round is left: after it,
    what was copied for this round is there, and what the round before has read may be overwritten. Tiles that are
    computed on their way stay as they are. Fewer stages where the device's memory (`fuselage.device`; 48 KiB without one)
    or rounds do not suffice; none below two.
  }];
  let options = [
    Option<"stages", "stages", "int64_t", /*default=*/"3", "Buffers of a tile: 2 to 8">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::gpu::GPUDialect", "mlir::memref::MemRefDialect",
                           "mlir::nvgpu::NVGPUDialect", "mlir::scf::SCFDialect"];
}

def SwizzleWorkgroupMemoryPass : Pass<"fuselage-swizzle-workgroup-memory", "mlir::func::FuncOp"> {
  let summary = "Spread tiles over the banks of workgroup memory";
  let description = [{
    A tile whose rows neighbouring threads read 16 bytes of, side by side, keeps those in the same banks. Here the
    number of an element is mixed with three bits of its row's number, by exclusive or, where that makes fewer trips
    through the banks for the accesses of all warps, as evaluated from their index arithmetic. It takes no memory,
    as padding does. Tiles with elements of 32 bits and rows of a power of two of them, or of 32; others stay as they are.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect", "mlir::vector::VectorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_NVIDIA_PASSES
