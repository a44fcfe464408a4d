// gpu.launch ops whose bodies are self-contained: they see buffers and scalar arguments, no more.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include <array>

namespace fuselage {

/// True if kernels can be made of a bufferized dispatch: all buffers have static shapes. If not, says
/// so in a remark; such a dispatch stays as it is.
bool hasStaticBuffers(mlir::func::FuncOp dispatch);

/// An empty launch with constant sizes at the insertion point; its body ends in gpu.terminator.
mlir::gpu::LaunchOp createLaunch(mlir::OpBuilder &builder, mlir::Location loc, std::array<int64_t, 3> grid,
                                 std::array<int64_t, 3> block);

/// Grid extents for `workgroups` in a row, folded to two dimensions where one would exceed the
/// least limit that Vulkan devices have (65535 an axis).
std::array<int64_t, 3> gridFor(int64_t workgroups);

/// The linear index of the workgroup in a grid made by gridFor.
mlir::Value linearWorkgroup(mlir::OpBuilder &builder, mlir::gpu::LaunchOp launch);

/// Clones what the body uses from outside and can be computed anywhere (constants, index
/// arithmetic, views of buffers) into it, so that only buffers and scalar arguments are captured.
/// Loads are cloned too where `mayMove` says that their memory has the same value there.
void sinkIntoLaunch(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                    llvm::function_ref<bool(mlir::Operation *)> mayMove);

} // namespace fuselage
