// Prints ops of dialects that we only read.
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/dialects/tolerant/UniversalParser.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace fuselage {

/// Whether an attribute is what the text says. A resource is known by its handle, of which a file that was
/// read again may have another.
static bool isSame(NamedAttribute expected, NamedAttribute present) {
  if (expected == present)
    return true;
  auto a = dyn_cast<DenseResourceElementsAttr>(expected.getValue());
  auto b = dyn_cast<DenseResourceElementsAttr>(present.getValue());
  return a && b && expected.getName() == present.getName() && a.getType() == b.getType();
}

/// Whether the op still has the attributes and types that its text says.
static bool isUnchanged(Operation *op, const Syntax &syntax) {
  if (syntax.text.empty() && op->getNumOperands() + op->getNumRegions() > 0)
    return false;
  ArrayRef<NamedAttribute> expected = syntax.attributes;
  for (NamedAttribute attribute : op->getDiscardableAttrDictionary()) {
    if (attribute.getName() == SyntaxAttr::key)
      continue;
    if (expected.empty() || !isSame(expected.front(), attribute))
      return false;
    expected = expected.drop_front();
  }
  if (!expected.empty())
    return false;
  ArrayRef<Type> types = syntax.types;
  auto takes = [&](TypeRange present) {
    if (types.size() < present.size())
      return false;
    for (auto [index, type] : llvm::enumerate(present))
      if (types[index] != type)
        return false;
    types = types.drop_front(present.size());
    return true;
  };
  if (!takes(op->getOperandTypes()) || !takes(op->getResultTypes()))
    return false;
  for (Region &region : op->getRegions())
    if (!region.empty() && !takes(region.front().getArgumentTypes()))
      return false;
  return types.empty();
}

namespace {

/// A piece of a template: literal text, or a placeholder.
struct Piece {
  StringRef literal;
  char kind = 0;
  unsigned number = 0;
};

/// Takes a template apart.
class Pieces {
public:
  explicit Pieces(StringRef text) : rest_(text) {}
  /// False at the end; `ok()` tells whether the text was well-formed.
  bool next(Piece &piece) {
    piece = {};
    if (rest_.empty() || !ok_)
      return false;
    if (rest_.front() != '\x01') {
      piece.literal = rest_.take_until([](char c) { return c == '\x01'; });
      rest_ = rest_.drop_front(piece.literal.size());
      return true;
    }
    rest_ = rest_.drop_front();
    piece.kind = rest_.empty() ? 0 : rest_.front();
    rest_ = rest_.drop_front(rest_.empty() ? 0 : 1);
    ok_ = piece.kind && !rest_.consumeInteger(10, piece.number) && rest_.consume_front("\x02");
    return ok_;
  }
  bool ok() const { return ok_; }

private:
  StringRef rest_;
  bool ok_ = true;
};

} // namespace

/// Whether every placeholder has something to stand for, and every part of the op has a placeholder.
static bool placeholdersFit(Operation *op, const Syntax &syntax) {
  Pieces pieces(syntax.text);
  Piece piece;
  unsigned regions = 0, successors = 0;
  while (pieces.next(piece)) {
    switch (piece.kind) {
    case 0:
      break;
    case 'o':
      if (piece.number >= op->getNumOperands())
        return false;
      break;
    case 'r':
    case 'n':
      if (piece.number != regions++ || piece.number >= op->getNumRegions())
        return false;
      break;
    case 'a':
      if (regions >= op->getNumRegions() || op->getRegion(regions).empty() ||
          piece.number >= op->getRegion(regions).getNumArguments())
        return false;
      break;
    case 's':
      if (piece.number >= op->getNumSuccessors())
        return false;
      ++successors;
      break;
    case 'u':
      if (piece.number >= syntax.units.size())
        return false;
      break;
    default:
      return false;
    }
  }
  return pieces.ok() && regions == op->getNumRegions() && successors == op->getNumSuccessors();
}

/// Prints literal text; the lines of it are relative to the op's indentation.
static void printLiteral(StringRef text, OpAsmPrinter &printer) {
  for (;;) {
    auto [line, rest] = text.split('\n');
    printer << line;
    if (line.size() == text.size())
      return;
    printer.printNewline();
    text = rest;
  }
}

static void printTemplate(Operation *op, const Syntax &syntax, OpAsmPrinter &printer) {
  Pieces pieces(syntax.text);
  Piece piece;
  unsigned regions = 0;
  while (pieces.next(piece)) {
    switch (piece.kind) {
    case 'o':
      printer.printOperand(op->getOperand(piece.number));
      break;
    case 's':
      printer.printSuccessor(op->getSuccessor(piece.number));
      break;
    case 'a':
      printer.printOperand(op->getRegion(regions).getArgument(piece.number));
      break;
    case 'r':
    case 'n':
      printer.printRegion(op->getRegion(regions++), /*printEntryBlockArgs=*/piece.kind == 'r');
      break;
    case 'u':
      if (auto type = dyn_cast<TypeAttr>(syntax.units[piece.number]))
        printer.printType(type.getValue());
      else
        printer.printAttribute(syntax.units[piece.number]);
      break;
    default:
      printLiteral(piece.literal, printer);
      break;
    }
  }
}

/// `dialect.op(operands)[successors] ({regions}) {attributes} : (types) -> types`: MLIR's generic form
/// after the bare name, without the text that has become stale.
static void printChanged(Operation *op, OpAsmPrinter &printer) {
  printer << "(" << op->getOperands() << ")";
  if (op->getNumSuccessors()) {
    printer << "[";
    llvm::interleaveComma(op->getSuccessors(), printer, [&](Block *successor) { printer.printSuccessor(successor); });
    printer << "]";
  }
  if (op->getNumRegions()) {
    printer << " (";
    llvm::interleaveComma(op->getRegions(), printer, [&](Region &region) { printer.printRegion(region); });
    printer << ")";
  }
  printer.printOptionalAttrDict(op->getDiscardableAttrs().empty() ? ArrayRef<NamedAttribute>()
                                                                  : op->getDiscardableAttrDictionary().getValue(),
                                {SyntaxAttr::key});
  printer << " : ";
  printer.printFunctionalType(op);
}

llvm::unique_function<void(Operation *, OpAsmPrinter &)> tolerantPrinter(Operation *op) {
  SyntaxAttr attribute = SyntaxAttr::of(op);
  if (!attribute)
    return {};
  const Syntax &syntax = attribute.getSyntax();
  if (!isUnchanged(op, syntax) || !placeholdersFit(op, syntax))
    return printChanged;
  return [](Operation *op, OpAsmPrinter &printer) { printTemplate(op, SyntaxAttr::of(op).getSyntax(), printer); };
}

} // namespace fuselage
