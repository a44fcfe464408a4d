// Versioned ops become those of StableHLO.
#include "CodeReader.h"
#include "core/dialects/vhlo/HloAttributes.h"
#include "core/dialects/vhlo/PortableOps.h"
#include "core/dialects/vhlo/UpgradeVhlo.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace fuselage;

namespace {

class Upgrade : public PortableContext {
protected:
  using Attributes = std::initializer_list<std::pair<llvm::StringRef, llvm::StringRef>>;
  /// What becomes of an op without operands, with these attributes as text; empty if it is refused.
  std::string upgraded(llvm::StringRef name, Attributes attributes) {
    mlir::OpBuilder builder(context());
    mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(builder.getUnknownLoc()));
    builder.setInsertionPointToStart(module->getBody());
    mlir::OperationState state(builder.getUnknownLoc(), name);
    for (auto [key, value] : attributes) {
      mlir::Attribute parsed = spelledAttribute(context(), value);
      EXPECT_TRUE(parsed) << value.str();
      state.addAttribute(key, parsed);
    }
    builder.create(state);
    if (failed(upgradeVhlo(*module)))
      return "";
    return print(&module->getBody()->front());
  }
  template <typename Printed> std::string print(Printed *op) {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    return text;
  }
};

constexpr llvm::StringLiteral kNone = "dense<> : tensor<0xi64>", kOne = "dense<1> : tensor<1xi64>",
                              kZero = "dense<0> : tensor<1xi64>";

} // namespace

TEST_F(Upgrade, DimensionsAreCollected) {
  EXPECT_EQ(upgraded("vhlo.dot_general_v1", {{"lhs_batching_dimensions", kNone},
                                             {"rhs_batching_dimensions", kNone},
                                             {"lhs_contracting_dimensions", kOne},
                                             {"rhs_contracting_dimensions", kZero},
                                             {"precision_config", "[#stablehlo<precision DEFAULT>]"}}),
            "\"stablehlo.dot_general\"() {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
            "rhs_contracting_dimensions = [0]>} : () -> ()");
  EXPECT_EQ(upgraded("vhlo.gather_v1", {{"offset_dims", kOne},
                                        {"collapsed_slice_dims", kZero},
                                        {"start_index_map", kZero},
                                        {"index_vector_dim", "1 : i64"},
                                        {"slice_sizes", "dense<[1, 2]> : tensor<2xi64>"},
                                        {"indices_are_sorted", "true"}}),
            "\"stablehlo.gather\"() {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = "
            "[0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, "
            "2>} : () -> ()");
}

TEST_F(Upgrade, OlderVersionsLackWhatLaterOnesHave) {
  EXPECT_EQ(upgraded("vhlo.exponential_v1", {}), "\"stablehlo.exponential\"() : () -> ()");
  EXPECT_EQ(
      upgraded("vhlo.exponential_v2",
               {{"result_accuracy", "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>"}}),
      "\"stablehlo.exponential\"() : () -> ()");
  EXPECT_EQ(
      upgraded("vhlo.send_v1", {{"channel_id", "0 : i64"}, {"channel_type", "2 : i64"}, {"is_host_transfer", "false"}}),
      "\"stablehlo.send\"() {channel_handle = #stablehlo.channel_handle<handle = 0, type = 2>} : () -> ()");
}

TEST_F(Upgrade, ADefaultOfOneOpIsNoneOfAnother) {
  EXPECT_EQ(upgraded("vhlo.cholesky_v1", {{"lower", "false"}}), "\"stablehlo.cholesky\"() : () -> ()");
  EXPECT_EQ(upgraded("vhlo.triangular_solve_v1", {{"lower", "false"}}),
            "\"stablehlo.triangular_solve\"() {lower = false} : () -> ()");
  EXPECT_EQ(upgraded("vhlo.sort_v1", {{"dimension", "-1 : i64"}}), "\"stablehlo.sort\"() : () -> ()");
  EXPECT_EQ(upgraded("vhlo.concatenate_v1", {{"dimension", "0 : i64"}}),
            "\"stablehlo.concatenate\"() {dimension = 0 : i64} : () -> ()");
}

TEST_F(Upgrade, SymbolsAndFlags) {
  EXPECT_EQ(upgraded("vhlo.custom_call_v1", {{"call_target_name", "\"f\""},
                                             {"called_computations", "[\"g\"]"},
                                             {"api_version", "1 : i32"},
                                             {"backend_config", "\"\""}}),
            "\"stablehlo.custom_call\"() {call_target_name = \"f\", called_computations = [@g]} : () -> ()");
  EXPECT_EQ(
      upgraded(
          "vhlo.composite_v1",
          {{"name", "\"n\""}, {"decomposition", "\"body\""}, {"composite_attributes", "{}"}, {"version", "0 : i32"}}),
      "\"stablehlo.composite\"() {decomposition = @body, name = \"n\"} : () -> ()");
  EXPECT_EQ(upgraded("vhlo.all_reduce_v1", {{"channel_id", "3 : i64"}, {"use_global_device_ids", "true"}}),
            "\"stablehlo.all_reduce\"() {channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>, "
            "use_global_device_ids} : () -> ()");
}

TEST_F(Upgrade, WhatIsNotKnownIsRefused) {
  EXPECT_EQ(upgraded("vhlo.add_v9", {}), "");
  EXPECT_NE(firstMessage().find("'vhlo.add_v9' is no op of VHLO up to version 1.17.0"), std::string::npos);
  EXPECT_EQ(upgraded("vhlo.gather_v1", {{"index_vector_dim", "\"one\""}}), "");
  EXPECT_EQ(upgraded("vhlo.broadcast_v1", {{"broadcast_sizes", "3 : i64"}}), "");
  EXPECT_EQ(upgraded("vhlo.convolution_v1", {}), "");
  EXPECT_EQ(upgraded("vhlo.func_v1", {{"sym_name", "\"f\""}}), "") << "no type";
  EXPECT_EQ(upgraded("vhlo.call_v1", {}), "") << "no callee";
}

TEST(PortableOps, PropertiesAreInTheOrderOfTheBytecode) {
  for (llvm::ArrayRef<PortableOps> groups : {vhloOps(), stableHloOps(), chloOps()})
    for (const PortableOps &group : groups) {
      llvm::SmallVector<llvm::StringRef> names;
      group.attributes.split(names, ' ', -1, /*KeepEmpty=*/false);
      EXPECT_TRUE(llvm::is_sorted(names)) << group.attributes.str();
    }
}
