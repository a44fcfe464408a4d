#include "core/transforms/bufferize/BufferizationOptions.h"

namespace fuselage {

mlir::bufferization::OneShotBufferizationOptions oneShotOptions() {
  mlir::bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.allowUnknownOps = true;
  options.setFunctionBoundaryTypeConversion(mlir::bufferization::LayoutMapOption::IdentityLayoutMap);
  return options;
}

} // namespace fuselage
