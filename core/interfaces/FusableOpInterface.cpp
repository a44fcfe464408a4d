#include "core/interfaces/FusableOpInterface.h"
#include "core/interfaces/Models.h"

#include "core/interfaces/FusableOpInterface.cpp.inc"

namespace fuselage {

void registerFusableModels(mlir::DialectRegistry &registry) {
  // Models of single ops first: the one for all other tilable ops leaves them alone.
  registerSliceModels(registry);
  registerReshapeModels(registry);
  registerConcatModel(registry);
  registerTilableModels(registry);
}

} // namespace fuselage
