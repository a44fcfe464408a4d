#include "core/ir/module/PlaceFilter.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "gtest/gtest.h"

namespace fuselage {
namespace {

bool fits(llvm::StringRef text, const SourcePosition &position) {
  std::optional<PlaceFilter> filter = PlaceFilter::read(text);
  return filter && filter->fits(position);
}

TEST(PlaceFilter, FitsAFileByItsNameOrItsPath) {
  const SourcePosition place{.file = "dir/model.mlir", .line = 35, .column = 7};
  EXPECT_TRUE(fits("model.mlir:35", place));
  EXPECT_TRUE(fits("dir/model.mlir:35", place));
  EXPECT_TRUE(fits("model.mlir:35:7", place));
  EXPECT_TRUE(fits(":35", place));
  EXPECT_TRUE(fits(":35:7", place));
  EXPECT_FALSE(fits("model.mlir:36", place));
  EXPECT_FALSE(fits("model.mlir:35:8", place));
  EXPECT_FALSE(fits("other/model.mlir:35", place));
}

TEST(PlaceFilter, FitsNoFileWhoseNameOnlyEndsSo) {
  const SourcePosition place{.file = "dir/my_model.mlir", .line = 35, .column = 7};
  EXPECT_FALSE(fits("model.mlir:35", place));
  EXPECT_FALSE(fits("mlir:35", place));
  EXPECT_TRUE(fits("my_model.mlir:35", place));
}

TEST(PlaceFilter, IsNotEveryText) {
  for (llvm::StringRef text :
       {"", ":", "35", "model.mlir", "model.mlir:", "model.mlir:x", ":0", "linalg.generic", "@main"})
    EXPECT_FALSE(PlaceFilter::read(text)) << text.str();
}

TEST(PlaceFilter, LooksAtAllThatAnOpWasMadeOf) {
  mlir::MLIRContext context;
  auto first = mlir::FileLineColLoc::get(&context, "a.mlir", 1, 2),
       second = mlir::FileLineColLoc::get(&context, "b.mlir", 3, 4);
  auto fused = mlir::FusedLoc::get(&context, {first, mlir::NameLoc::get(mlir::StringAttr::get(&context, "x"), second)});
  EXPECT_TRUE(PlaceFilter::read("b.mlir:3")->fitsAny(fused));
  EXPECT_TRUE(PlaceFilter::read("a.mlir:1:2")->fitsAny(fused));
  EXPECT_FALSE(PlaceFilter::read("a.mlir:3")->fitsAny(fused));
  EXPECT_FALSE(PlaceFilter::read(":1")->fitsAny(mlir::UnknownLoc::get(&context)));
}

} // namespace
} // namespace fuselage
