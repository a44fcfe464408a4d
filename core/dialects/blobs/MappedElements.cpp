// MLIR copies the data of elements into the context. Its storage class is private, so that a class of the same shape
// stands in for it here. Whether the shape and the hash are still those of MLIR is found out on a small attribute,
// each time; if they are not, data is copied as MLIR does.
#include "core/dialects/blobs/MappedElements.h"
#include "core/blobs/ScratchFile.h"
#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/Hashing.h"
#include <array>
#include <cstring>

using namespace mlir;

namespace fuselage {

/// Whether the pages of data that was read are given back. Those of memory that is no mapped file would be lost.
enum class Pages { Forget, Keep };

/// llvm::hash_value(data).
static llvm::hash_code hashOf(ArrayRef<char> data, Pages pages) {
  using namespace llvm::hashing::detail;
  constexpr size_t kWindow = 4 << 20; // so much is read before pages are given back
  constexpr size_t block = 64;        // bytes that one step of the hash mixes in
  static_assert(kWindow % block == 0);
  if (data.size() <= block)
    return llvm::hash_value(data);
  hash_state state = hash_state::create(data.data(), get_execution_seed());
  size_t whole = data.size() - data.size() % block;
  for (size_t at = block; at < whole; at += block) {
    state.mix(data.data() + at);
    if (pages == Pages::Forget && at % kWindow == 0)
      forgetPages(data.slice(at - kWindow, kWindow));
  }
  if (whole != data.size())
    state.mix(data.end() - block);
  if (pages == Pages::Forget)
    forgetPages(data);
  return state.finalize(data.size());
}

namespace {

// As in MLIR's AttributeDetail.h: the order of the members matters, and that there are two classes.
struct ElementsStorage : AttributeStorage {
  ElementsStorage(ShapedType type, bool isSplat) : type(type), isSplat(isSplat) {}
  ShapedType type;
  bool isSplat;
};

struct MappedStorage : ElementsStorage {
  MappedStorage(ShapedType type, ArrayRef<char> data) : ElementsStorage(type, /*isSplat=*/false), data(data) {}

  struct KeyTy {
    ShapedType type;
    ArrayRef<char> data;
    llvm::hash_code hash;
  };
  bool operator==(const KeyTy &key) const {
    if (key.type != type || isSplat || data.size() != key.data.size())
      return false;
    return data.data() == key.data.data() || std::memcmp(data.data(), key.data.data(), data.size()) == 0;
  }
  static llvm::hash_code hashKey(const KeyTy &key) { return llvm::hash_combine(key.type, key.hash); }
  static MappedStorage *construct(AttributeStorageAllocator &allocator, const KeyTy &key) {
    return new (allocator.allocate<MappedStorage>()) MappedStorage(key.type, key.data);
  }
  ArrayRef<char> data;
};

/// What AttributeUniquer wants for an attribute.
struct MappedElements {
  using ImplType = MappedStorage;
  MappedElements(MappedStorage *storage) : storage(storage) {}
  MappedStorage *storage;
};

} // namespace

/// Of data that is no splat; `first` is how many bytes from its start repeat the first element.
static DenseElementsAttr uniqued(ShapedType type, ArrayRef<char> data, size_t elementBytes, size_t first, Pages pages) {
  llvm::hash_code hash =
      llvm::hash_combine(llvm::hash_value(data.take_front(elementBytes)), hashOf(data.drop_front(first), pages));
  auto made = mlir::detail::AttributeUniquer::getWithTypeID<MappedElements>(
      type.getContext(), TypeID::get<DenseIntOrFPElementsAttr>(), MappedStorage::KeyTy{type, data, hash});
  return cast<DenseElementsAttr>(Attribute(made.storage));
}

/// Whether this MLIR finds an attribute of its own by our key, and has its members where we think.
static bool fitsMlir(MLIRContext *context) {
  constexpr int64_t count = 33; // no multiple of what the hash mixes at once
  static constexpr auto numbers = [] {
    std::array<int32_t, count> all{};
    for (int32_t i = 3; i < count; ++i)
      all[i] = i; // the first element comes three times
    return all;
  }();
  auto type = RankedTensorType::get({count}, IntegerType::get(context, 32));
  ArrayRef<char> data(reinterpret_cast<const char *>(numbers.data()), sizeof numbers);
  DenseElementsAttr known = DenseElementsAttr::getFromRawBuffer(type, data);
  const auto *storage = static_cast<const MappedStorage *>(static_cast<const AttributeStorage *>(known.getImpl()));
  if (storage->type != type || storage->isSplat || storage->data.data() != known.getRawData().data() ||
      storage->data.size() != data.size())
    return false;
  return uniqued(type, data, sizeof(int32_t), 3 * sizeof(int32_t), Pages::Keep) == known;
}

DenseElementsAttr getMappedElements(ShapedType type, ArrayRef<char> mapped) {
  size_t count = type.getNumElements(), elementBytes = mapped.size() / std::max<size_t>(count, 1);
  bool isPlain = count > 1 && mapped.size() == count * elementBytes && !type.getElementType().isInteger(1);
  size_t first = elementBytes;
  while (isPlain && first < mapped.size() && std::memcmp(mapped.data(), mapped.data() + first, elementBytes) == 0)
    first += elementBytes;
  bool isSplat = isPlain && first == mapped.size();
  if (isPlain && !isSplat && fitsMlir(type.getContext()))
    return uniqued(type, mapped, elementBytes, first, Pages::Forget);
  auto copied = DenseElementsAttr::getFromRawBuffer(type, isSplat ? mapped.take_front(elementBytes) : mapped);
  forgetPages(mapped);
  return copied;
}

} // namespace fuselage
