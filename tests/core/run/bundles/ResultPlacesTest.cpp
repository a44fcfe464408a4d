// Rows of results belong to the dispatches that they were measured on, or nowhere.
#include "core/run/bundles/ResultPlaces.h"
#include "core/registration/Registration.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

struct ResultPlaces : testing::Test {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module =
      parse(session, R"mlir(func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %v = tensor.empty() : tensor<64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %r = linalg.reduce ins(%m : tensor<64x64xf32>) outs(%g : tensor<64xf32>) dimensions = [1]
    (%x: f32, %y: f32) { %s = arith.addf %x, %y : f32
      linalg.yield %s : f32 }
  return %r : tensor<64xf32>
})mlir");
  FormedFunction formed = valueOf(FormedFunction::form(*module, "", {}));

  /// A row that the module's matmul belongs to, as another machine would name its place.
  static message::Kernel<> matmul() {
    message::Kernel<> row;
    row.dispatch = "main_dispatch_0_matmul_64x64x64";
    row.loc = "/elsewhere/test.mlir:5:8";
    row.parts = {"/elsewhere/test.mlir:4:8", "/elsewhere/test.mlir:5:8"};
    return row;
  }
  static message::Results<> resultsOf(std::vector<message::Kernel<>> rows) {
    message::Results<> results;
    results.kernels = std::move(rows);
    return results;
  }
};

TEST_F(ResultPlaces, FollowNamePlaceAndOps) {
  ResultPlace place = formed.placeOf(matmul());
  EXPECT_EQ(place.whyNot, "");
  EXPECT_EQ(place.dispatch, 0);
  EXPECT_EQ(place.loc, "test.mlir:5:8");
  ASSERT_FALSE(place.ops.empty());
}

TEST_F(ResultPlaces, ARowThatDiffersIsNotPlacedAndSaysWhy) {
  message::Kernel<> name = matmul(), loc = matmul(), parts = matmul(), host = matmul();
  name.dispatch = "main_dispatch_0_matmul_128x64x64";
  EXPECT_EQ(formed.placeOf(name).whyNot,
            "the module has no dispatch @main_dispatch_0_matmul_128x64x64; what comes from "
            "test.mlir:5:8 is @main_dispatch_0_matmul_64x64x64 here");
  loc.loc = "/elsewhere/test.mlir:6:8";
  EXPECT_EQ(formed.placeOf(loc).whyNot,
            "@main_dispatch_0_matmul_64x64x64 comes from test.mlir:5:8 here, and from test.mlir:6:8 where it was "
            "measured");
  loc.loc = "/elsewhere/other.mlir:5:8";
  EXPECT_NE(formed.placeOf(loc).whyNot, "");
  parts.parts.push_back("/elsewhere/test.mlir:8:8");
  EXPECT_EQ(formed.placeOf(parts).whyNot,
            "@main_dispatch_0_matmul_64x64x64 has other ops here than where it was measured");
  for (const message::Kernel<> &row : {name, loc, parts}) {
    EXPECT_EQ(formed.placeOf(row).dispatch, -1);
    EXPECT_TRUE(formed.placeOf(row).ops.empty());
  }
  host.onHost = true;
  EXPECT_EQ(formed.placeOf(host).whyNot, "");
  EXPECT_TRUE(formed.placeOf(host).ops.empty());
}

const std::string remedy = "; open the file that the bundle was made of, or make a bundle of this one ('fuselage "
                           "bundle') and run it with 'fuselage-launch --format json' again";

TEST_F(ResultPlaces, ResultsOfAnotherModuleAreRefused) {
  message::Kernel<> other = matmul();
  other.dispatch = "other_dispatch_0";
  other.loc = "other.mlir:1:1";
  EXPECT_EQ(errorOf(placeResults(resultsOf({other, other}), &formed, "/here/test.mlir")),
            "none of the 2 rows of the results belongs to 'test.mlir': the module has no dispatch "
            "@other_dispatch_0" +
                remedy);
  auto some = placeResults(resultsOf({other, matmul()}), &formed, "/here/test.mlir");
  ASSERT_TRUE(static_cast<bool>(some));
  EXPECT_NE((*some)[0].whyNot, "");
  EXPECT_EQ((*some)[1].whyNot, "");
}

TEST_F(ResultPlaces, ResultsOfAFunctionThatIsNotThereAreRefused) {
  message::Results<> results = resultsOf({matmul()});
  results.function = "nobody";
  auto none = FormedFunction::form(*module, "nobody", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(errorOf(placeResults(results, none.takeError(), "/here/test.mlir")),
            std::string("the results are of @nobody, whose dispatches cannot be formed in 'test.mlir': there is no "
                        "function @nobody with a body; the module has @main") +
                remedy);
}

TEST_F(ResultPlaces, ResultsOfAnotherVersionOfTheFileAreRefused) {
  message::Results<> results = resultsOf({matmul()});
  results.bundle = message::BundleOrigin<>();
  results.bundle->source = "/elsewhere/test.mlir";
  results.bundle->sourceSha256 = std::string(64, 'a');
  EXPECT_FALSE(static_cast<bool>(checkSource(results, "/here/test.mlir", std::string(64, 'a'))));
  EXPECT_FALSE(static_cast<bool>(checkSource(results, "/here/test.mlir", ""))) << "nobody knows";
  EXPECT_EQ(errorOf(checkSource(results, "/here/test.mlir", std::string(64, 'b'))),
            "the results are of another file than 'test.mlir': of 'test.mlir' with the checksum "
            "aaaaaaaaaaaa..., while this one has bbbbbbbbbbbb..." +
                remedy);
}

} // namespace
