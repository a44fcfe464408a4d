// The data of large element attributes: never printed, told apart by size and checksum.
#pragma once
#include "core/support/Error.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
class DialectResourceBlobManager;
} // namespace mlir

namespace fuselage {

/// Element attributes of more elements than this are elided; splats never are.
inline constexpr int64_t mostPrintedElements = 16;
/// String literals of more characters than this are elided.
inline constexpr size_t mostPrintedLiteral = 4096;
/// The same of literals that hold text, such as a kernel's assembly.
inline constexpr size_t mostPrintedText = 1 << 20;

/// Printing that leaves out large data: `dense_resource<__elided__>` in place of dense attributes,
/// and no `dialect_resources` to speak of. Such text can be read back, without the data. What is printed
/// verifies: a Session's modules do, and asking again takes longer than printing.
mlir::OpPrintingFlags elidingFlags();

/// Size and checksum (XXH3, 64 bits) of some data.
struct BlobSummary {
  uint64_t bytes = 0, checksum = 0;
};
BlobSummary summarize(llvm::ArrayRef<char> data);
/// Says what summarize() would say of data that lives as long as the context.
void knowBlob(mlir::MLIRContext &context, llvm::ArrayRef<char> data, uint64_t checksum);
/// "2.4 MiB, xxh3 1f2e3d4c5b6a7988"
std::string formatBlob(const BlobSummary &summary);

/// Whether elidingFlags() leaves out the data of the attribute.
bool isElidedBlob(mlir::Attribute attribute);
/// formatBlob of an elided attribute's data, or "no data in the file" for a resource without it.
/// Checksums are computed once an attribute and context.
std::string describeBlob(mlir::Attribute attribute);

/// The attribute's text with large data left out and told in a `//` comment after it.
std::string printElided(mlir::Attribute attribute);

/// MLIR's printer spells out the data of each resource before it leaves large ones out. While this lives, large ones
/// are no more than their first bytes, and are left out all the same.
class BriefResources {
public:
  explicit BriefResources(mlir::MLIRContext &context);
  ~BriefResources();
  BriefResources(const BriefResources &) = delete;
  BriefResources &operator=(const BriefResources &) = delete;

private:
  mlir::DialectResourceBlobManager *manager_ = nullptr;
  std::vector<std::pair<std::string, mlir::AsmResourceBlob>> whole_; ///< by key
};

/// A warning for every op that uses a `dense_resource` whose data is not in the file.
std::vector<Diagnostic> findMissingBlobs(mlir::ModuleOp module);

/// Puts the store of checksums into contexts that are made from the registry.
void registerBlobChecksums(mlir::DialectRegistry &registry);

/// Collects printed text, replacing long string literals as they pass: `dense<"0x...">` by
/// `dense_resource<__elided__>`, others by `"<elided>"`; and long `array<i64: ...>` by `array<i64>`.
/// Lines stay what they were.
class ElidingStream : public llvm::raw_ostream {
public:
  /// What stands at `offset` of the text is elided.
  struct Elision {
    size_t offset = 0;
    std::string description;
  };

  explicit ElidingStream(std::string &text) : text_(text) { SetBufferSize(1 << 16); }
  ~ElidingStream() override { flush(); }
  /// Ends the text.
  std::vector<Elision> take();

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return text_.size(); }
  void closeLiteral();
  void closeArray();

  std::string &text_;
  std::vector<Elision> elisions_;
  size_t literal_ = 0; ///< offset after the opening quote
  size_t array_ = 0;   ///< offset after "array<"; 0 if none is open
  bool inLiteral_ = false, escaped_ = false;
};

} // namespace fuselage
