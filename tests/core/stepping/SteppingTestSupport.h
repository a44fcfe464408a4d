// Modules for stepping tests, and shorthands.
#pragma once
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace fuselage::test {

/// A constant to fold, two ops to merge, and a matmul.
inline constexpr llvm::StringLiteral smallModule = R"mlir(
func.func @f(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> (tensor<8x4xf32>, f32) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %x = arith.addf %zero, %one : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %fill = linalg.fill ins(%x : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x4xf32>)
                     outs(%fill : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r, %x : tensor<8x4xf32>, f32
}
func.func @g(%a: f32) -> f32 {
  %x = arith.addf %a, %a : f32
  %y = arith.addf %a, %a : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}
)mlir";

/// A module opened in a session of its own.
struct Input {
  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Input(llvm::StringRef source = smallModule) {
    auto parsed = session.parse(source, "input.mlir");
    if (parsed)
      module = std::move(*parsed);
    else
      ADD_FAILURE() << llvm::toString(parsed.takeError());
  }
  llvm::Expected<Recording> record(RecordOptions options) { return fuselage::record(session, *module, options); }
  Recording recordPipeline(llvm::StringRef pipeline) {
    RecordOptions options;
    options.pipeline = pipeline.str();
    auto recording = record(options);
    if (recording)
      return std::move(*recording);
    ADD_FAILURE() << llvm::toString(recording.takeError());
    return {};
  }
  /// The message of the Failure that the pipeline must give.
  std::string failureOf(llvm::StringRef pipeline) {
    RecordOptions options;
    options.pipeline = pipeline.str();
    auto recording = record(options);
    if (recording) {
      ADD_FAILURE() << "no failure of " << pipeline.str();
      return "";
    }
    return takeFailure(recording.takeError()).message;
  }
};

inline std::vector<std::string> pipelinesOf(const Recording &recording) {
  std::vector<std::string> pipelines;
  for (const Step &step : recording.steps)
    pipelines.push_back(step.pipeline);
  return pipelines;
}

/// A file in the temporary folder that lives as long as this.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef text, llvm::StringRef suffix = "mlir") {
    int fd = -1;
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fuselage", suffix, fd, path));
    llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << text;
    path_ = path.str().str();
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path_); }
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace fuselage::test
