#include "core/dialects/tolerant/BlobScope.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace fuselage {

BlobScope::BlobScope(MLIRContext &context, std::shared_ptr<const TextBlobs> blobs)
    : table_(context.getOrLoadDialect<FuselageDialect>()->blobs()) {
  table_.made_.assign(blobs->literals().size(), {});
  table_.kept_.push_back(blobs);
  table_.blobs_ = std::move(blobs);
}

BlobScope::~BlobScope() { table_.blobs_ = nullptr; }

bool BlobScope::isAllIn(ModuleOp module) const {
  llvm::DenseSet<Attribute> missing;
  for (auto [literal, attribute] : llvm::zip_equal(table_.blobs_->literals(), table_.made_)) {
    if (literal.kind != TextBlob::Kind::Elements)
      continue;
    if (!attribute)
      return false;
    missing.insert(attribute);
  }
  bool isInText = false;
  auto find = [&](Attribute attributes) {
    attributes.walk([&](DenseElementsAttr elements) { missing.erase(elements); });
  };
  module->walk([&](Operation *op) {
    find(op->getAttrDictionary());
    if (Attribute properties = op->isRegistered() ? Attribute() : op->getPropertiesAsAttribute())
      find(properties); // of `"foo.bar"() <{...}>`, which are in no dictionary
    isInText |= TolerantOp(op) && TolerantOp(op).gapText().contains(TextBlobs::kPlaceholder);
  });
  return missing.empty() && !isInText;
}

void settleResources(MLIRContext &context) {
  if (auto *dialect = context.getLoadedDialect<FuselageDialect>())
    dialect->blobs().settleResources();
}

} // namespace fuselage
