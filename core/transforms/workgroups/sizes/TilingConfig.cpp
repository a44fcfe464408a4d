#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace fuselage {

/// The sizes that `dictionary` holds under `name`.
static SmallVector<int64_t> readSizes(DictionaryAttr dictionary, StringRef name) {
  auto sizes = dictionary.getAs<DenseI64ArrayAttr>(name);
  return sizes ? SmallVector<int64_t>(sizes.asArrayRef()) : SmallVector<int64_t>();
}

TilingConfig readTilingConfig(Operation *op) {
  auto dictionary = op->getAttrOfType<DictionaryAttr>(TilingConfig::attributeName);
  if (!dictionary)
    return {};
  TilingConfig config{.workgroup = readSizes(dictionary, "workgroup"), .reduction = readSizes(dictionary, "reduction")};
  config.host.append(readSizes(dictionary, "host"));
  config.split = readSizes(dictionary, "split");
  return config;
}

SmallVector<int64_t> sizesForLoops(ArrayRef<int64_t> sizes, size_t loops) {
  bool fits = sizes.size() == loops && llvm::all_of(sizes, [](int64_t size) { return size >= 0; });
  return fits ? SmallVector<int64_t>(sizes) : SmallVector<int64_t>();
}

void writeTilingConfig(Operation *op, const TilingConfig &config) {
  if (config.empty()) {
    op->removeAttr(TilingConfig::attributeName);
    return;
  }
  Builder builder(op->getContext());
  SmallVector<NamedAttribute> entries;
  if (!config.host.empty())
    entries.push_back(builder.getNamedAttr("host", builder.getDenseI64ArrayAttr(config.host)));
  if (!config.reduction.empty())
    entries.push_back(builder.getNamedAttr("reduction", builder.getDenseI64ArrayAttr(config.reduction)));
  if (!config.split.empty())
    entries.push_back(builder.getNamedAttr("split", builder.getDenseI64ArrayAttr(config.split)));
  if (!config.workgroup.empty())
    entries.push_back(builder.getNamedAttr("workgroup", builder.getDenseI64ArrayAttr(config.workgroup)));
  op->setAttr(TilingConfig::attributeName, builder.getDictionaryAttr(entries));
}

} // namespace fuselage
