// What a compiler is willing to fuse, as data. The mechanisms that obey it are functions.
#pragma once
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace fuselage {

/// The rules of elementwise fusion and of dispatch formation. The defaults are the preset
/// `aggressive`: what `fuselage-form-dispatches` does. Every field has a name in the text form
/// (parseFusionPolicy), given in quotes.
struct FusionPolicy {
  std::string name = "aggressive";

  // Elementwise fusion: before dispatches are formed, producers move into the payloads of their
  // consumers. (`aggressive` forms dispatches first, and lets elementwise fusion tidy up inside.)
  bool fuseElementwise = false;        ///< "elementwise"
  bool elementwiseBroadcasts = true;   ///< "broadcasts": also where elements are computed repeatedly
  bool elementwiseReductions = true;   ///< "reductions": also operands that a reduction reads repeatedly
  bool fuseContractionOperands = true; ///< "contractions": also into operands of contractions
  int64_t maxOperands = 0;             ///< "max-operands" of a fused op; 0: any number

  // Both.
  bool fuseMultiUse = true;     ///< "multi-use": also values with several uses
  bool lookThroughZeros = true; ///< "zeros": maps with a constant 0 count as projected permutations

  // Dispatch formation.
  bool fuseElementwiseConsumers = true; ///< "consumers": into the root's dispatch, when tileable with it
  bool fuseDestinations = true;         ///< "destinations": elementwise ops that only start a root's accumulation
  bool fuseProducers = true;       ///< "producers": elementwise ops that one reduction alone reads, each element once
  bool fusePacking = true;         ///< "packing": packs and unpacks follow what they read
  bool fuseParallelLoops = true;   ///< "forall": an scf.forall by itself is a dispatch
  bool cloneCheapProducers = true; ///< "clone": fills, empty tensors, splat constants
  bool cloneCopies = true;         ///< "clone-copies": and copies and broadcasts
  bool cloneDequantizations =
      true;                      ///< "clone-dequantizations": and those of contractions' operands, and what only widens
  bool wrapLeftovers = true;     ///< "leftovers": what joins no root gets a dispatch of its own
  bool dispatchMoves = true;     ///< "moves": joins of tensors, and slices that are stored, are dispatches
  bool namedOpsAreRoots = false; ///< "named-roots": also elementwise ones
  bool needDominatingUse = false;  ///< "dominating-use": one user stands before all others
  bool needSameOuterLoops = false; ///< "same-loops": consumers have the root's outer loops, in order
  bool needInPlace = false;        ///< "in-place": consumers of convolutions write over their input
  int64_t maxBindings = 0;         ///< "max-bindings" of a dispatch; 0: any number

  // Bounds on the time of a plan.
  int64_t maxCandidates = 4;    ///< "max-candidates": users of a value that are asked to join
  int64_t maxOrderEdges = 4000; ///< "max-order-edges" that the search for cycles follows
};

/// As IREE fused in early 2023, when exports of PyTorch came out in a dozen dispatches a layer: generics merge where
/// MLIR's elementwise fusion allows it, single use, no maps with zeros; root ops take consumers whose outer loops are
/// theirs, in place where a convolution leads; contractions get no producers.
FusionPolicy conservativePolicy();

/// Today's default.
FusionPolicy aggressivePolicy();

/// Every compute op is a dispatch.
FusionPolicy noFusionPolicy();

/// Reads a preset's name, with changes in braces: `conservative{multi-use=true,max-operands=8}`.
/// Failure: an unknown name or a value that does not fit, and what there is.
llvm::Expected<FusionPolicy> parseFusionPolicy(llvm::StringRef text);

} // namespace fuselage
