// Modules that several tests read.
#pragma once
#include "core/graph/build/GraphBuilder.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include <gtest/gtest.h>

namespace fuselage::test {

/// A session with one module parsed from text; the test fails if it does not parse.
struct Parsed {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Parsed(llvm::StringRef text) {
    auto parsed = session.parse(text, "test.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << takeFailure(parsed.takeError()).message;
  }
  mlir::OwningOpRef<mlir::ModuleOp> another(llvm::StringRef text) {
    auto parsed = session.parse(text, "test.mlir");
    if (parsed)
      return std::move(*parsed);
    ADD_FAILURE() << takeFailure(parsed.takeError()).message;
    return {};
  }
  Graph graph() const { return buildGraph(*module, PrintedModule(*module)); }
  /// The first op of that name.
  mlir::Operation *find(llvm::StringRef name) {
    mlir::Operation *found = nullptr;
    module->walk([&](mlir::Operation *op) {
      if (!found && op->getName().getStringRef() == name)
        found = op;
    });
    EXPECT_NE(found, nullptr) << name.str();
    return found;
  }
};

inline const GraphNode *findNode(const FunctionGraph &function, llvm::StringRef labelPrefix) {
  for (const GraphNode &node : function.nodes)
    if (llvm::StringRef(node.label).starts_with(labelPrefix))
      return &node;
  return nullptr;
}

inline constexpr const char *matmulBias = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>, %b: tensor<32xf32>) -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x32xf32>) -> tensor<128x32xf32>
  %m = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32xf32>)
                     outs(%f : tensor<128x32xf32>) -> tensor<128x32xf32>
  %a = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m, %b : tensor<128x32xf32>, tensor<32xf32>) outs(%e : tensor<128x32xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<128x32xf32>
  return %a : tensor<128x32xf32>
}
)";

/// A loop with a carried tensor, a forall with slices, a dispatch region.
inline constexpr const char *regions = R"(
func.func @loop(%x: tensor<16xf32>, %n: index) -> tensor<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<16xf32> {
    %next = math.exp %acc : tensor<16xf32>
    scf.yield %next : tensor<16xf32>
  }
  return %r : tensor<16xf32>
}
func.func @tiles(%x: tensor<16xf32>, %d: tensor<16xf32>) -> tensor<16xf32> {
  %r = scf.forall (%i) = (0) to (16) step (4) shared_outs(%out = %d) -> tensor<16xf32> {
    %s = tensor.extract_slice %x[%i] [4] [1] : tensor<16xf32> to tensor<4xf32>
    %e = math.exp %s : tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %out[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    }
  }
  return %r : tensor<16xf32>
}
func.func @formed(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = flow.dispatch.region -> (tensor<8x8xf32>) {
    %m = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>)
                       outs(%y : tensor<8x8xf32>) -> tensor<8x8xf32>
    flow.return %m : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
)";

inline constexpr const char *outlined = R"(
func.func private @main_dispatch_0_exp_16(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {fuselage.dispatch = 0 : i64} {
  %e = math.exp %x : tensor<16xf32>
  return %e : tensor<16xf32>
}
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = func.call @main_dispatch_0_exp_16(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = func.call @main_dispatch_0_exp_16(%a) : (tensor<16xf32>) -> tensor<16xf32>
  return %b : tensor<16xf32>
}
)";

} // namespace fuselage::test
