// Shared by the runtime's tests: parsing, values, error texts.
#pragma once
#include "core/ir/Session.h"
#include "core/run/values/HostTensor.h"
#include "core/support/ResultErrors.h"
#include "mlir/IR/BuiltinTypes.h"
#include <gtest/gtest.h>

namespace fuselage::test {

/// Parses or ends the test with the error's text.
inline mlir::OwningOpRef<mlir::ModuleOp> parse(Session &session, llvm::StringRef source) {
  auto module = session.parse(source, "test.mlir");
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    return nullptr;
  }
  return std::move(*module);
}

/// The text of an expected error; empty, and a test failure, if there is none.
template <typename T> std::string errorOf(llvm::Expected<T> value) {
  if (value) {
    ADD_FAILURE() << "expected an error";
    return "";
  }
  return llvm::toString(value.takeError());
}
inline std::string errorOf(llvm::Error error) {
  EXPECT_TRUE(static_cast<bool>(error));
  return llvm::toString(std::move(error));
}

template <typename T> std::string errorOf(Result<T> value) { return errorOf(llvmExpected(std::move(value))); }
inline std::string errorOf(Status status) { return errorOf(llvmError(std::move(status))); }

/// A value or a test failure with the error's text.
template <typename T> T valueOf(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  return T();
}

template <typename T> T valueOf(Result<T> value) { return valueOf(llvmExpected(std::move(value))); }

/// A rank-1 or shaped f32 tensor with the given elements.
inline HostTensor floats(mlir::MLIRContext &context, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<float> values) {
  auto type = mlir::RankedTensorType::get(shape, mlir::Float32Type::get(&context));
  HostTensor tensor = valueOf(HostTensor::create(type));
  std::copy(values.begin(), values.end(), tensor.as<float>().begin());
  return tensor;
}

} // namespace fuselage::test
