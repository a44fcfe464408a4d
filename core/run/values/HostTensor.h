// Values in host memory: what functions on tensors take and give.
#pragma once
#include "core/codegen/host/HostLayout.h"
#include "core/support/Error.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include <memory>

namespace fuselage {

/// A type as MLIR prints it.
std::string textOf(mlir::Type type);

/// A tensor or a scalar in host memory, dense and row-major. Copies share the memory: treat a value
/// that was handed on as immutable.
class HostTensor {
public:
  HostTensor() = default;

  /// Zeroed memory for `type`, a static ranked tensor or a scalar (integer, index, float, complex).
  /// Failure: a dynamic or unranked type, an element type without a host form, or no memory.
  static llvm::Expected<HostTensor> create(mlir::Type type);
  /// The same in memory of its own, for what is written once and then sealed.
  static llvm::Expected<HostTensor> createSealable(mlir::Type type);
  /// Takes the right to write from memory of createSealable() that is large. Copies of the process share it then, where
  /// each would copy the tables of its pages, which for the weights of a model takes longer than a dispatch.
  void seal() const;
  /// Wraps memory that `owner` keeps alive; `data` lies inside of it.
  static HostTensor wrap(mlir::Type type, std::shared_ptr<void> owner, void *data);
  /// The value of a constant attribute: dense elements, splats, resources and scalars.
  static llvm::Expected<HostTensor> fromAttribute(mlir::TypedAttr attribute);

  explicit operator bool() const { return static_cast<bool>(type_); }
  mlir::Type type() const { return type_; }
  mlir::Type elementType() const { return mlir::getElementTypeOrSelf(type_); }
  bool isScalar() const { return !llvm::isa<mlir::ShapedType>(type_); }
  llvm::ArrayRef<int64_t> shape() const;
  int64_t elementCount() const;
  uint64_t byteCount() const { return elementCount() * hostElementBytes(elementType()); }
  uint8_t *data() const { return data_; }
  const std::shared_ptr<void> &owner() const { return owner_; }
  template <typename T> llvm::MutableArrayRef<T> as() const {
    return {reinterpret_cast<T *>(data_), byteCount() / sizeof(T)};
  }

  /// The same memory under another type with as many elements of the same element type.
  HostTensor reinterpret(mlir::Type type) const { return wrap(type, owner_, data_); }

  /// An integer or index element, sign-extended (i1: 0 or 1).
  int64_t integerAt(int64_t index) const;
  /// A floating-point element of any format that APFloat knows.
  double floatAt(int64_t index) const;
  void setInteger(int64_t index, int64_t value);
  void setFloat(int64_t index, double value);

private:
  mlir::Type type_;
  std::shared_ptr<void> owner_;
  uint8_t *data_ = nullptr;
  uint64_t sealable_ = 0; ///< bytes of whole pages
};

/// Buffers on a device lie in memory as on the host, but for i2 and i4, which are packed, low bits
/// first (see CompiledDispatch). The bytes that a value takes there.
uint64_t deviceByteCount(mlir::Type type);
/// Writes `tensor` in the device's form into `bytes` (deviceByteCount of them).
void packForDevice(const HostTensor &tensor, uint8_t *bytes);
/// Reads the device's form into `tensor`, which has its type already.
void unpackFromDevice(const uint8_t *bytes, const HostTensor &tensor);
/// True if host and device agree on the bytes, so that no packing is needed.
bool sameOnDevice(mlir::Type type);

} // namespace fuselage
