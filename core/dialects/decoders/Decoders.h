// What the tool understands of ops that it only reads: dispatches, executables, tile loads and stores.
//
// To teach it another op: write one small file DecodeX.cpp with a function that fills in a DecodedOp
// and a `const Decoder` that lists the op names it reads, then add that decoder's line to
// Registry.cpp and the file to CMakeLists.txt. Graph, dispatch grouping, costs, details panel and
// exports follow from the role; nothing else needs to know the op. DecoderSupport.h reads what most
// ops have: `offsets = [...]` lists, symbol references, workloads.
#pragma once
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include <string>
#include <vector>

namespace fuselage {

/// The part an op plays in a dispatch program, whichever dialect or era it is written in.
enum class OpRole {
  None,
  DispatchRegion, ///< a dispatch with its body inline: flow.dispatch.region, flow.dispatch.workgroups
  DispatchCall,   ///< runs an entry point of an executable: flow.dispatch, stream.cmd.dispatch
  Submission,     ///< dispatches that are submitted together: flow.ex.stream.fragment, stream.cmd.execute
  Executable,     ///< holds kernels: flow.executable, hal.executable, hal.executable.variant
  EntryPoint,     ///< names a kernel of an executable: flow.executable.export, hal.executable.export
  Function,       ///< util.func and other functions that are not func.func
  Return,         ///< ends the body of one of the above
  Declaration,    ///< neither runs nor holds anything that does: hal.interface, util.global
  Binding,        ///< a kernel's buffer: hal.interface.binding.subspan
  TileLoad,       ///< reads a tile: flow.dispatch.tensor.load, iree_tensor_ext.dispatch.tensor.load
  TileStore,      ///< writes a tile
  WorkgroupInfo,  ///< workgroup id, count or size
  ModuleInput,    ///< hal.tensor.import
  ModuleOutput,   ///< hal.tensor.export
  GlobalLoad,     ///< reads a module's variable, often its weights: util.global.load
  GlobalStore,
  Gap, ///< text that could not be parsed, or a value that nothing defines
};
/// "dispatch region", "tile load"; empty for None.
llvm::StringRef opRoleName(OpRole role);

/// A part of a tensor: by dimension an offset, a size and a stride, as values or constants.
struct TileAccess {
  mlir::Value source; ///< the binding (of a store: what is stored into); null: `symbol` names it
  mlir::Value stored; ///< of a store
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides; ///< empty: the whole tensor
  mlir::Type tensorType; ///< of the whole tensor, e.g. tensor<86x128x2048xi4>; null: unknown
  /// What one execution moves, with every size that is a constant: tensor<32x86x128xf32>; null: unknown.
  mlir::RankedTensorType tileType;
};

/// What decode() knows of an op; fields beyond `role` are filled in where they apply.
struct DecodedOp {
  OpRole role = OpRole::None;
  std::string label;            ///< short text for a node, e.g. "load 32x128 of 4096x2048"
  mlir::Region *body = nullptr; ///< of a dispatch, a function
  std::string symbol;           ///< of executables, entry points, functions, globals: the name
  std::string callee;           ///< of a dispatch call: "executable::entry"
  unsigned workload = 0;        ///< a dispatch's leading operands that are its workload
  TileAccess tile;              ///< of tile loads and stores
  std::string detail;           ///< a sentence for the details panel, or empty
};

/// Never fails: an op that no decoder knows, or that is not as its decoder expects, has role None.
/// Ops of MLIR's own dialects cost a look at their namespace.
DecodedOp decode(mlir::Operation *op);

/// One decoder, one file (Decode*.cpp): the op names it reads, and the function that does.
struct Decoder {
  llvm::ArrayRef<llvm::StringLiteral> names;               ///< names as users write them, both namespaces of an op
  bool (*decode)(mlir::Operation *op, DecodedOp &decoded); ///< false: not as expected
};

/// All decoders (Registry.cpp lists them, a line each).
llvm::ArrayRef<const Decoder *> allDecoders();

} // namespace fuselage
