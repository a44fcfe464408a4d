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
    workgroup that needs more. Kernels that say it themselves stay as they are.
  }];
  let options = [
    Option<"registersPerThread", "registers-per-thread", "int64_t", /*default=*/"128",
           "Registers of 32 bits that a thread may take">,
    Option<"registersPerUnit", "registers-per-unit", "int64_t", /*default=*/"65536",
           "Registers of a multiprocessor">,
  ];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect"];
}

#endif // FUSELAGE_TRANSFORMS_NVIDIA_PASSES
