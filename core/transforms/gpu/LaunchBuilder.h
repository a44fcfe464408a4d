// Creates gpu.launch ops whose bodies capture nothing but buffers and scalar arguments.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"
#include <array>

namespace fuselage {

/// True if all buffers of a bufferized dispatch have static shapes, which kernels need. Otherwise a remark says so, and
/// the dispatch is to be left as it is.
bool hasStaticBuffers(mlir::func::FuncOp dispatch);

/// Creates an empty launch with constant sizes at the insertion point; its body ends in gpu.terminator.
mlir::gpu::LaunchOp createLaunch(mlir::OpBuilder &builder, mlir::Location loc, std::array<int64_t, 3> grid,
                                 std::array<int64_t, 3> block);

/// Returns the grid for a linear range of `workgroups`: one dimension, or two if there are more than 65535, which every
/// Vulkan device allows per dimension.
std::array<int64_t, 3> gridFor(int64_t workgroups);

/// Emits the linear index of the workgroup in a grid made by gridFor.
mlir::Value linearWorkgroup(mlir::OpBuilder &builder, mlir::gpu::LaunchOp launch);

/// Clones constants, index arithmetic and views of buffers that the body uses into it, so that it captures nothing but
/// buffers and scalar arguments. Loads are cloned, too, if `mayMove` says that their memory has the same value there.
void sinkIntoLaunch(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                    llvm::function_ref<bool(mlir::Operation *)> mayMove);

} // namespace fuselage
