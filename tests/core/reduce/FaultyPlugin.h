// The plugin of passes that fail, and modules for them.
#pragma once
#include "core/ir/Session.h"
#include "core/plugins/Plugins.h"
#include "core/reduce/Reduce.h"
#include "core/reduce/cuts/Cuts.h"
#include "core/registration/Registration.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

namespace fuselage::test {

/// Loads the plugin once, before there are contexts.
inline mlir::DialectRegistry faultyDialects() {
  static const bool isLoaded = [] {
    llvm::Error error =
        loadPlugin({.path = FUSELAGE_PLUGIN_DIR "/faulty.so", .part = PluginPart::Passes}, allDialects());
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return true;
  }();
  EXPECT_TRUE(isLoaded);
  return allDialects();
}

/// A module, and what is left of it.
struct Reduced {
  Session session{faultyDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module{};
  Reduction reduction{};
  std::string error{};

  void open(llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> opened) {
    ASSERT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
    module = std::move(*opened);
  }
  void run(const std::string &pipeline, const ReduceOptions &options = {}) {
    auto passes = parsePipeline(pipeline, session.context());
    ASSERT_TRUE(bool(passes)) << llvm::toString(passes.takeError());
    auto reduced = reduce(*module, *passes, options);
    if (!reduced) {
      error = takeFailure(reduced.takeError()).message;
      return;
    }
    reduction = std::move(*reduced);
    EXPECT_TRUE(succeeded(mlir::verify(*reduction.module)));
    EXPECT_EQ(reduction.opsAfter, countOpsIn(*reduction.module));
  }
  std::string text() {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (reduction.module)
      reduction.module->print(os);
    return text;
  }
  std::string pipeline() const {
    std::string text;
    for (const PassUnit &unit : reduction.passes)
      text += (text.empty() ? "" : ";") + unit.pipeline;
    return text;
  }
};

inline std::string sample(const std::string &name) { return FUSELAGE_SOURCE_DIR "/samples/" + name + ".mlir"; }

} // namespace fuselage::test
