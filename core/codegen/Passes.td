// The device that kernels are made for. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_CODEGEN_PASSES
#define FUSELAGE_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def SetDevicePass : Pass<"fuselage-set-device", "mlir::ModuleOp"> {
  let summary = "Set the target device of kernels";
  let description = [{
    Attaches `fuselage.device = #fuselage.device<...>` to the module. The passes that choose tiles, threads, vectors and
    memory read it from there: a pipeline names its device once, at its start. Without it, kernels are for any
    device that supports SPIR-V.
  }];
  let options = [
    Option<"name", "name", "std::string", /*default=*/"\"\"",
           "A known device (h100, lavapipe, ..), a device file, spirv or ptx for any device of that language, or the attribute itself: "
           "#fuselage.device<..>">,
    Option<"tf32", "tf32", "bool", /*default=*/"false",
           "f32 products may use tf32 matrix instructions, with 10 of the 23 mantissa bits">,
  ];
  let dependentDialects = ["fuselage::FuselageDialect"];
}

def DropDevicePass : Pass<"fuselage-drop-device", "mlir::ModuleOp"> {
  let summary = "Remove the target device of kernels";
  let description = [{
    Removes `fuselage.device` from the module, so that tools without Fuselage's attributes can read it.
  }];
  let dependentDialects = ["fuselage::FuselageDialect"];
}

def AttachNvidiaTargetPass : Pass<"fuselage-attach-nvidia-target", "mlir::ModuleOp"> {
  let summary = "Attach the device's chip to kernel modules";
  let description = [{
    Runs `nvvm-attach-target` with the chip of the module's device (`sm_80` if none is known), the PTX version that the chip
    needs, and LLVM's optimization level 3.
  }];
  let options = [
    Option<"ptx", "ptx", "std::string", /*default=*/"\"\"",
           "The PTX version, such as +ptx78, if the driver needs another one than the chip">,
  ];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect"];
}

#endif // FUSELAGE_CODEGEN_PASSES
