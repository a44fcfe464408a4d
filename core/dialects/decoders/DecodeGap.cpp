// What the reader could not read: text that is no op, and values that nothing defines.
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {kGapOp, kUndefinedOp};

/// The first words of a text, on one line.
static std::string beginningOf(StringRef text) {
  constexpr size_t most = 40;
  StringRef line = text.ltrim().split('\n').first.rtrim();
  return line.size() <= most ? line.str() : line.take_front(most).str() + "...";
}

static bool decodeGap(Operation *op, DecodedOp &decoded) {
  decoded.role = OpRole::Gap;
  if (op->getName().getStringRef() == kUndefinedOp) {
    decoded.label = "undefined";
    decoded.detail = "Nothing in the file defines this value.";
    return true;
  }
  StringRef text = TolerantOp(op).gapText();
  decoded.label = "not read: " + beginningOf(text);
  decoded.detail = "Could not be parsed: " + text.str();
  return true;
}

extern const Decoder gapDecoder = {names, decodeGap};

} // namespace fuselage
