// Tolerant dialects: one class, an instance with a TypeID of its own for each namespace.
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/dialects/tolerant/OpenNamespace.h"
#include "core/dialects/tolerant/RawAttr.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "core/dialects/tolerant/UniversalParser.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

namespace {

// The id is a base class, as the dialect's constructor needs it.
class TolerantDialect : public SelfOwningTypeID, public Dialect {
public:
  TolerantDialect(StringRef dialectNamespace, MLIRContext *context)
      : Dialect(dialectNamespace, context, SelfOwningTypeID::getTypeID()), raw_(dialectNamespace) {
    allowUnknownOperations();
    allowUnknownTypes();
    addAttribute(raw_.id(), raw_.introduce(*this));
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override { return ParseOpHook(parseUniversally); }
  llvm::unique_function<void(Operation *, OpAsmPrinter &)> getOperationPrinter(Operation *op) const override {
    return tolerantPrinter(op);
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override { return raw_.parse(parser, type); }
  void printAttribute(Attribute attribute, DialectAsmPrinter &printer) const override {
    RawAttrKind::print(attribute, printer);
  }
  Type parseType(DialectAsmParser &parser) const override { return parseRawType(parser, getNamespace()); }

private:
  RawAttrKind raw_;
};

} // namespace

void loadTolerantDialects(MLIRContext &context, ArrayRef<std::string> namespaces) {
  context.getOrLoadDialect<FuselageDialect>();
  for (const std::string &dialectNamespace : namespaces) {
    if (!Dialect::isValidNamespace(dialectNamespace))
      continue;
    if (Dialect *known = context.getOrLoadDialect(dialectNamespace)) {
      if (auto *open = known->getRegisteredInterface<OpenNamespaceInterface>())
        open->tolerateUnknown();
      continue;
    }
    // MLIR keeps a reference to the name.
    StringRef name = StringAttr::get(&context, dialectNamespace).getValue();
    auto dialect = std::make_unique<TolerantDialect>(name, &context);
    TypeID id = static_cast<SelfOwningTypeID &>(*dialect).getTypeID();
    context.getOrLoadDialect(name, id, [&]() -> std::unique_ptr<Dialect> { return std::move(dialect); });
  }
}

std::string withWrittenNames(MLIRContext &context, std::string message) {
  for (size_t at = message.find_first_of("'\""); at != std::string::npos; at = message.find_first_of("'\"", at + 1)) {
    StringRef name = StringRef(message).drop_front(at + 1).take_while(isWordChar);
    std::string dialect = name.split('.').first.str();
    if (!name.contains('.') || dialect.empty() || !llvm::isUpper(dialect.front()))
      continue;
    dialect.front() = llvm::toLower(dialect.front());
    if (llvm::is_contained(context.getAvailableDialects(), dialect))
      message[at + 1] = dialect.front();
  }
  return message;
}

bool isHloDialect(StringRef dialectNamespace) {
  return dialectNamespace == "stablehlo" || dialectNamespace == "chlo" || dialectNamespace == "mhlo";
}

std::string twinNamespace(StringRef dialectNamespace) {
  std::string twin = dialectNamespace.str();
  if (!twin.empty())
    twin.front() = llvm::toUpper(twin.front());
  return twin;
}

} // namespace fuselage
