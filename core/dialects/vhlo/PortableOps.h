// Which attributes the ops of VHLO, StableHLO and CHLO keep as properties: bytecode holds their values without names.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace fuselage {

/// Ops with the same properties. Both lists are separated by blanks.
struct PortableOps {
  llvm::StringRef names;
  /// In the order of the bytecode, which is that of the alphabet; `name?` is one that may be missing.
  llvm::StringRef attributes;
};

/// All ops of VHLO up to kNewestVhlo, with their versions: "add_v1".
llvm::ArrayRef<PortableOps> vhloOps();
llvm::ArrayRef<PortableOps> stableHloOps();
llvm::ArrayRef<PortableOps> chloOps();
/// Those of Shardy, which JAX mixes with the others.
llvm::ArrayRef<PortableOps> shardyOps();
inline constexpr llvm::StringLiteral kNewestVhlo = "1.17.0";

/// The attributes of `vhlo.add_v1`, `stablehlo.add`, `chlo.acos`; nullopt if there is no such op.
std::optional<llvm::StringRef> portableAttributes(llvm::StringRef opName);

} // namespace fuselage
