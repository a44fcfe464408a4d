// A DialectBytecodeReader over numbers that a test lists.
#pragma once
#include "core/dialects/vhlo/PortableDialects.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/MakeContext.h"
#include "core/registration/Registration.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include <deque>
#include <gtest/gtest.h>

namespace fuselage {

/// Numbers, signed and not, come from one list; attributes, types, strings, blobs and floats each from their own.
class CodeReader : public mlir::DialectBytecodeReader {
public:
  CodeReader(mlir::MLIRContext *context, std::initializer_list<int64_t> numbers)
      : context_(context), numbers(numbers) {}

  mlir::InFlightDiagnostic emitError(const llvm::Twine &message = {}) const override {
    return mlir::emitError(mlir::UnknownLoc::get(context_), message);
  }
  mlir::FailureOr<const mlir::DialectVersion *> getDialectVersion(llvm::StringRef) const override {
    return mlir::failure();
  }
  mlir::MLIRContext *getContext() const override { return context_; }
  uint64_t getBytecodeVersion() const override { return 6; }
  mlir::LogicalResult readAttribute(mlir::Attribute &result) override { return take(attributes, result); }
  mlir::LogicalResult readOptionalAttribute(mlir::Attribute &result) override {
    (void)take(attributes, result);
    return mlir::success();
  }
  mlir::LogicalResult readType(mlir::Type &result) override { return take(types, result); }
  mlir::LogicalResult readVarInt(uint64_t &result) override {
    int64_t number = 0;
    mlir::LogicalResult taken = take(numbers, number);
    result = uint64_t(number);
    return taken;
  }
  mlir::LogicalResult readSignedVarInt(int64_t &result) override { return take(numbers, result); }
  mlir::FailureOr<llvm::APInt> readAPIntWithKnownWidth(unsigned width) override {
    int64_t number = 0;
    if (failed(take(numbers, number)))
      return mlir::failure();
    return llvm::APInt(width, uint64_t(number), /*isSigned=*/true, /*implicitTrunc=*/true);
  }
  mlir::FailureOr<llvm::APFloat> readAPFloatWithKnownSemantics(const llvm::fltSemantics &semantics) override {
    double number = 0;
    if (failed(take(floats, number)))
      return mlir::failure();
    llvm::APFloat value(number);
    bool losesInfo = false;
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return value;
  }
  mlir::LogicalResult readString(llvm::StringRef &result) override { return take(strings, result); }
  mlir::LogicalResult readBlob(llvm::ArrayRef<char> &result) override {
    result = blob;
    return mlir::success();
  }
  mlir::LogicalResult readBool(bool &result) override {
    int64_t number = 0;
    mlir::LogicalResult taken = take(numbers, number);
    result = number != 0;
    return taken;
  }

private:
  mlir::FailureOr<mlir::AsmDialectResourceHandle> readResourceHandle() override { return mlir::failure(); }

  template <typename Item> mlir::LogicalResult take(std::deque<Item> &items, Item &result) {
    if (items.empty())
      return emitError("the bytes end");
    result = items.front();
    items.pop_front();
    return mlir::success();
  }

  mlir::MLIRContext *context_;

public:
  std::deque<int64_t> numbers;
  std::deque<mlir::Attribute> attributes{};
  std::deque<mlir::Type> types{};
  std::deque<double> floats{};
  std::deque<llvm::StringRef> strings{};
  std::vector<char> blob{};
};

/// A context that reads portable artifacts, and what was said in it.
class PortableContext : public ::testing::Test {
protected:
  PortableContext() {
    context_->loadDialect<mlir::quant::QuantDialect>();
    loadPortableDialects(*context_);
  }
  mlir::MLIRContext *context() { return context_.get(); }
  template <typename Printed> static std::string print(Printed printed) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (printed)
      os << printed;
    return text;
  }
  std::string firstMessage() {
    std::vector<Diagnostic> said = capture_.take();
    return said.empty() ? "" : said.front().message;
  }

private:
  std::unique_ptr<mlir::MLIRContext> context_ = makeContext(allDialects());
  DiagnosticCapture capture_{*context_};
};

} // namespace fuselage
