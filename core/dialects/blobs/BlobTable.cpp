#include "core/dialects/blobs/BlobTable.h"
#include "core/dialects/blobs/MappedElements.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace fuselage {

/// Whether MLIR's parser takes hex digits for such elements.
static bool takesHex(ShapedType type) {
  Type element = type.getElementType();
  return isa<RankedTensorType, VectorType>(type) && type.hasStaticShape() &&
         (element.isIntOrIndexOrFloat() || isa<ComplexType>(element));
}

Attribute BlobTable::parse(DialectAsmParser &parser, Type type) {
  size_t number = 0;
  if (parser.parseLess() || parser.parseInteger(number) || parser.parseGreater())
    return {};
  auto shaped = dyn_cast_or_null<ShapedType>(type);
  ArrayRef<TextBlob> literals = blobs_ ? blobs_->literals() : ArrayRef<TextBlob>();
  bool isSplat = false;
  if (number >= literals.size() || literals[number].kind != TextBlob::Kind::Elements || !shaped || !takesHex(shaped) ||
      !DenseElementsAttr::isValidRawBuffer(shaped, blobs_->bytesOf(literals[number]), isSplat)) {
    parser.emitError(parser.getNameLoc(), "there is no data of this type for it");
    return {};
  }
  made_[number] = getMappedElements(shaped, blobs_->bytesOf(literals[number]));
  return made_[number];
}

void BlobTable::settleResources() {
  auto *builtin = context_->getLoadedDialect<BuiltinDialect>();
  auto *manager = builtin ? builtin->getRegisteredInterface<ResourceBlobManagerDialectInterface>() : nullptr;
  if (!blobs_ || !manager)
    return;
  std::vector<std::pair<std::string, const TextBlob *>> found;
  manager->getBlobManager().getBlobMap([&](const auto &resources) {
    for (const auto &resource : resources)
      if (const AsmResourceBlob *data = resource.second.getBlob())
        if (std::optional<size_t> number = blobs_->numberIn(data->getData()))
          found.push_back({resource.first().str(), &blobs_->literals()[*number]});
  });
  for (const auto &[key, literal] : found)
    manager->getBlobManager().update(
        key, UnmanagedAsmResourceBlob::allocateWithAlign(blobs_->bytesOf(*literal), literal->alignment));
}

} // namespace fuselage
