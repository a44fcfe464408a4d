// The patterns that would apply to an op, as clients see them.
#pragma once
#include "core/protocol/Rewrites.h"
#include "core/rewrites/PatternOffers.h"

namespace fuselage {

/// An op's offers, with those that apply first; as many as `offers`, in that order afterwards. `pipeline` of each is
/// what applies it.
message::OpPatterns<> messageOfOffers(mlir::ModuleOp module, int64_t op, llvm::StringRef passes,
                                      std::vector<PatternOffer> &offers);

/// A table of them; `op` is the number of the op.
std::string offersText(const message::OpPatterns<> &patterns, int64_t op);

} // namespace fuselage
