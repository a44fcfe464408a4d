// Attributes of the dialect `fuselage` that passes read. The dialect itself is FuselageDialect (core/dialects/tolerant).
#ifndef FUSELAGE_DIALECTS_DEVICEATTR
#define FUSELAGE_DIALECTS_DEVICEATTR

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def Fuselage_Dialect : Dialect {
  let name = "fuselage";
  let cppNamespace = "::fuselage";
}

def Fuselage_DeviceAttr : AttrDef<Fuselage_Dialect, "Device"> {
  let mnemonic = "device";
  let summary = "the known properties of a device";
  let description = [{
    The values of a device file (resources/devices), without their sources. Passes that choose tiles, threads,
    vectors and memory read it from the nearest enclosing op that has the attribute `fuselage.device`, as they read
    `dlti.target_system_spec`. A value that is not listed is unknown; passes then use the minimum of all devices.

    ```mlir
    module attributes {fuselage.device = #fuselage.device<
        kind = discrete, language = ptx, chip = sm_90, max_threads = 1024, compute_units = 132,
        matrix_shapes = ["m16n8k16 f16"]>} {}
    ```

    The pass `fuselage-set-device` attaches a known device or that of a file.
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$entries);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The known values of `model`, and its name.
    static DeviceAttr of(::mlir::MLIRContext *context, const ::fuselage::DeviceModel &model);
    /// The values; those that are not listed are unknown.
    ::fuselage::DeviceModel model() const;
  }];
}

#endif // FUSELAGE_DIALECTS_DEVICEATTR
