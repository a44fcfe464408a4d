// An op of a module, with the chain of what is computed in its tiles.
#pragma once
#include "core/analysis/tiles/FindTileOp.h"
#include "core/analysis/tiles/TileChain.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AsmState.h"
#include <gtest/gtest.h>
#include <optional>

namespace fuselage::test {

struct TiledOp {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<TileChain> chain;
  mlir::linalg::LinalgOp op;

  explicit TiledOp(llvm::StringRef text, llvm::StringRef name, bool fuse = false) {
    auto parsed = session.parse(text, "t.mlir");
    EXPECT_TRUE(bool(parsed));
    module = std::move(*parsed);
    mlir::AsmState names(*module);
    auto found = findTileOp(*module, name, names);
    EXPECT_TRUE(bool(found));
    op = mlir::cast<mlir::linalg::LinalgOp>(found->op);
    auto built = TileChain::build(found->op, {.fuse = fuse, .kept = {}});
    EXPECT_TRUE(bool(built));
    chain = std::move(*built);
  }
};

} // namespace fuselage::test
