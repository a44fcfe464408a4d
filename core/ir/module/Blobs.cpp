#include "core/ir/module/Blobs.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/ops/ValueNames.h"
#include "core/support/Units.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <mutex>

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

/// Checksums by attribute; lives as long as the context that owns the attributes.
class BlobChecksums : public DialectInterface::Base<BlobChecksums> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BlobChecksums)
  explicit BlobChecksums(Dialect *dialect) : Base(dialect) {}

  BlobSummary of(Attribute attribute, ArrayRef<char> data) const {
    std::lock_guard lock(mutex_);
    if (auto told = told_.find(data.data()); told != told_.end() && told->second.bytes == data.size())
      return told->second;
    auto [known, added] = known_.try_emplace(attribute);
    // A resource may get other data under the same attribute; its address and size give it away.
    if (added || known->second.data != data.data() || known->second.summary.bytes != data.size())
      known->second = {data.data(), summarize(data)};
    return known->second.summary;
  }

  void tell(ArrayRef<char> data, uint64_t checksum) const {
    std::lock_guard lock(mutex_);
    told_[data.data()] = {.bytes = data.size(), .checksum = checksum};
  }

private:
  struct Known {
    const char *data = nullptr;
    BlobSummary summary;
  };
  mutable std::mutex mutex_;
  mutable llvm::DenseMap<Attribute, Known> known_;
  mutable llvm::DenseMap<const char *, BlobSummary> told_;
};

} // namespace

void registerBlobChecksums(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, BuiltinDialect *dialect) { dialect->addInterfaces<BlobChecksums>(); });
}

OpPrintingFlags elidingFlags() {
  return withValueNames(
      OpPrintingFlags().elideLargeElementsAttrs(mostPrintedElements).elideLargeResourceString().assumeVerified());
}

BlobSummary summarize(ArrayRef<char> data) {
  return {.bytes = data.size(),
          .checksum = llvm::xxh3_64bits({reinterpret_cast<const uint8_t *>(data.data()), data.size()})};
}

std::string formatBlob(const BlobSummary &summary) {
  return llvm::formatv("{0}, xxh3 {1}", binaryBytesText(static_cast<double>(summary.bytes)),
                       llvm::utohexstr(summary.checksum, /*LowerCase=*/true, 16));
}

/// Of the context that has the registry's extension; else null.
static const BlobChecksums *checksumsOf(MLIRContext &context) {
  Dialect *builtin = context.getLoadedDialect<BuiltinDialect>();
  return builtin ? builtin->getRegisteredInterface<BlobChecksums>() : nullptr;
}

void knowBlob(MLIRContext &context, ArrayRef<char> data, uint64_t checksum) {
  if (const BlobChecksums *checksums = checksumsOf(context))
    checksums->tell(data, checksum);
}

/// The resource's data; nullptr if the file has none.
static const AsmResourceBlob *blobOf(DenseResourceElementsAttr attribute) { return attribute.getRawHandle().getBlob(); }

bool isElidedBlob(Attribute attribute) {
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return !dense.isSplat() && dense.getNumElements() > mostPrintedElements;
  return isa<DenseResourceElementsAttr>(attribute);
}

std::string describeBlob(Attribute attribute) {
  ArrayRef<char> data;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    const AsmResourceBlob *blob = blobOf(resource);
    if (!blob)
      return "no data in the file";
    data = blob->getData();
  } else if (auto strings = dyn_cast<DenseStringElementsAttr>(attribute)) {
    std::string all;
    for (StringRef text : strings.getRawStringData())
      all += text.str() + '\0';
    return formatBlob(summarize(all));
  } else {
    data = cast<DenseElementsAttr>(attribute).getRawData();
  }
  const BlobChecksums *checksums = checksumsOf(*attribute.getContext());
  return formatBlob(checksums ? checksums->of(attribute, data) : summarize(data));
}

std::string printElided(Attribute attribute) {
  std::string text;
  ElidingStream os(text);
  AsmState state(attribute.getContext(), elidingFlags());
  attribute.print(os, state);
  std::vector<std::string> comments;
  attribute.walk([&](Attribute inner) {
    if (isElidedBlob(inner))
      comments.push_back(describeBlob(inner));
  });
  for (ElidingStream::Elision &elision : os.take())
    comments.push_back(std::move(elision.description));
  constexpr size_t mostComments = 4;
  size_t count = comments.size();
  comments.resize(std::min(count, mostComments));
  if (count > mostComments)
    comments.push_back(llvm::formatv("and {0} more", count - mostComments));
  return count == 0 ? text : text + "  // " + llvm::join(comments, "; ");
}

/// The resources of a context; null: it has none.
static DialectResourceBlobManager *resourcesOf(MLIRContext &context) {
  auto *builtin = context.getLoadedDialect<BuiltinDialect>();
  auto *manager = builtin ? builtin->getRegisteredInterface<ResourceBlobManagerDialectInterface>() : nullptr;
  return manager ? &manager->getBlobManager() : nullptr;
}

BriefResources::BriefResources(MLIRContext &context) : manager_(resourcesOf(context)) {
  constexpr size_t brief = 64; // bytes, which are too many digits for the printer's limit
  if (!manager_)
    return;
  manager_->getBlobMap([&](const auto &resources) {
    for (const auto &resource : resources)
      // What the manager has is no constant; it lends its map as one.
      if (auto *blob = const_cast<AsmResourceBlob *>(resource.second.getBlob()); blob && blob->getData().size() > brief)
        whole_.emplace_back(resource.first().str(), std::move(*blob));
  });
  for (const auto &[key, blob] : whole_)
    manager_->update(key, UnmanagedAsmResourceBlob::allocateWithAlign(blob.getData().take_front(brief), 1));
}

BriefResources::~BriefResources() {
  for (auto &[key, blob] : whole_)
    manager_->update(key, std::move(blob));
}

std::vector<Diagnostic> findMissingBlobs(ModuleOp module) {
  std::vector<Diagnostic> missing;
  DialectResourceBlobManager *manager = resourcesOf(*module.getContext());
  bool any = false;
  if (manager)
    manager->getBlobMap([&](const auto &blobs) {
      any = llvm::any_of(blobs, [](const auto &entry) { return !entry.second.getBlob(); });
    });
  if (!any)
    return missing;
  module->walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr resource) {
      if (blobOf(resource))
        return;
      SourcePosition position = positionOf(op->getLoc());
      StringRef key = resource.getRawHandle().getKey();
      missing.push_back({.severity = Diagnostic::Severity::Warning,
                         .message = key == "__elided__"
                                        ? std::string("the data of this constant was elided when the file was written; "
                                                      "everything but its values is shown")
                                        : "the file has no data for dense_resource<" + key.str() +
                                              ">; everything but its values is shown",
                         .file = position.file,
                         .line = position.line,
                         .column = position.column});
    });
  });
  return missing;
}

//===-- Literals in text --------------------------------------------------===//

std::vector<ElidingStream::Elision> ElidingStream::take() {
  flush();
  return std::move(elisions_);
}

void ElidingStream::write_impl(const char *data, size_t size) {
  StringRef rest(data, size);
  while (!rest.empty()) {
    size_t end = rest.find_first_of(inLiteral_ ? "\"\\" : array_ ? "\">" : "\"<");
    if (escaped_)
      end = 0;
    size_t taken = std::min(end == StringRef::npos ? rest.size() : end + 1, rest.size());
    char last = rest[taken - 1];
    text_.append(rest.data(), taken);
    rest = rest.drop_front(taken);
    if (end == StringRef::npos)
      return;
    if (escaped_) {
      escaped_ = false;
    } else if (last == '<') {
      array_ = StringRef(text_).ends_with("array<") ? text_.size() : 0;
    } else if (last == '>') {
      if (text_.size() - 1 - array_ > mostPrintedLiteral)
        closeArray();
      array_ = 0;
    } else if (!inLiteral_) {
      inLiteral_ = true;
      literal_ = text_.size();
      array_ = 0;
    } else if (last == '\\') {
      escaped_ = true;
    } else {
      inLiteral_ = false;
      if (text_.size() - 1 - literal_ > mostPrintedLiteral)
        closeLiteral();
    }
  }
}

/// Whether a literal, as MLIR escapes it, holds text, such as the PTX of a kernel: users read that.
static bool isReadable(StringRef literal) {
  size_t odd = 0;
  for (size_t at = literal.find('\\'); at != StringRef::npos; at = literal.find('\\', at + 1)) {
    StringRef code = literal.substr(at + 1, 2);
    if (code.starts_with("\\"))
      ++at;
    else
      odd += code != "0A" && code != "0D" && code != "09" && code != "22";
  }
  return odd * 64 < literal.size();
}

/// Replaces the array at the end of the text.
void ElidingStream::closeArray() {
  size_t colon = text_.find(':', array_);
  if (colon == std::string::npos)
    return;
  elisions_.push_back({array_, formatBlob(summarize(StringRef(text_).drop_back().substr(colon + 1)))});
  text_.resize(colon);
  text_ += '>';
}

/// Replaces the literal at the end of the text.
void ElidingStream::closeLiteral() {
  static constexpr StringRef dense = "dense<";
  StringRef literal = StringRef(text_).drop_back().substr(literal_);
  std::string bytes;
  bool isHex = literal.starts_with("0x") && llvm::tryGetFromHex(literal.drop_front(2), bytes);
  if (!isHex && literal.size() <= mostPrintedText && isReadable(literal))
    return;
  std::string description = formatBlob(summarize(isHex ? StringRef(bytes) : literal));
  size_t begin = literal_ - 1;
  if (StringRef(text_).take_front(begin).ends_with(dense)) {
    text_.resize(begin - dense.size());
    elisions_.push_back({text_.size(), std::move(description)});
    text_ += "dense_resource<__elided__";
    return;
  }
  text_.resize(begin);
  elisions_.push_back({begin, std::move(description)});
  text_ += "\"<elided>\"";
}

} // namespace fuselage
