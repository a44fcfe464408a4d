#include "core/dialects/device/DeviceAttr.h"
#include "core/device/DeviceFile.h"
#include "core/dialects/device/IntroduceDevice.h"
#include "mlir/IR/AttributeSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fuselage;

// mlir-tblgen's definitions leave parameters unused, and the functions with which a dialect finds its attributes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#define GET_ATTRDEF_CLASSES
#include "core/dialects/device/DeviceAttr.cpp.inc"
#pragma GCC diagnostic pop

namespace {

constexpr StringLiteral kName = "name"; ///< the key of DeviceModel::name
const DeviceModel kUnknown;             ///< to walk over the keys

//===-- Values as attributes ----------------------------------------------===//

Attribute toAttribute(Builder &b, DeviceKind value) { return b.getStringAttr(deviceKindNames[int(value)]); }
Attribute toAttribute(Builder &b, const std::string &value) { return b.getStringAttr(value); }
Attribute toAttribute(Builder &b, bool value) { return b.getBoolAttr(value); }
Attribute toAttribute(Builder &b, int64_t value) { return b.getI64IntegerAttr(value); }
Attribute toAttribute(Builder &b, double value) { return b.getF64FloatAttr(value); }
Attribute toAttribute(Builder &b, const std::vector<std::string> &value) {
  return b.getStrArrayAttr(llvm::to_vector_of<StringRef>(value));
}

/// Each returns what `attribute` must be, or an empty text after storing its value in `out`.
StringRef fromAttribute(Attribute attribute, DeviceKind &out) {
  auto text = dyn_cast<StringAttr>(attribute);
  for (int kind = 0; text && kind < 3; ++kind)
    if (text.getValue() == deviceKindNames[kind])
      return out = DeviceKind(kind), "";
  return "discrete, integrated or software";
}
StringRef fromAttribute(Attribute attribute, std::string &out) {
  auto text = dyn_cast<StringAttr>(attribute);
  auto isPlain = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; };
  if (!text || text.empty() || !llvm::all_of(text.getValue(), isPlain))
    return "a text of letters, digits, '_' and '-'";
  return out = text.str(), "";
}
StringRef fromAttribute(Attribute attribute, bool &out) {
  auto value = dyn_cast<BoolAttr>(attribute);
  return value ? (out = value.getValue(), "") : "true or false";
}
StringRef fromAttribute(Attribute attribute, int64_t &out) {
  auto value = dyn_cast<IntegerAttr>(attribute);
  if (!value || !value.getType().isInteger(64) || value.getInt() < 0 || value.getInt() > (int64_t(1) << 50))
    return "a whole number from 0 to 2^50";
  return out = value.getInt(), "";
}
StringRef fromAttribute(Attribute attribute, double &out) {
  auto value = dyn_cast<FloatAttr>(attribute);
  if (!value || !value.getType().isF64() || !(value.getValueAsDouble() >= 0) || value.getValueAsDouble() > 1e12)
    return "a number from 0 to 10^12";
  return out = value.getValueAsDouble(), "";
}
StringRef fromAttribute(Attribute attribute, std::vector<std::string> &out) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  if (!list || !llvm::all_of(list, llvm::IsaPred<StringAttr>))
    return "a list of texts";
  for (Attribute each : list)
    out.push_back(cast<StringAttr>(each).str());
  return "";
}

//===-- Assembly ----------------------------------------------------------===//

ParseResult parseValue(AsmParser &parser, DeviceKind &, Attribute &out) {
  std::string text;
  return failure(parser.parseKeywordOrString(&text) || ((out = parser.getBuilder().getStringAttr(text)), false));
}
ParseResult parseValue(AsmParser &parser, std::string &, Attribute &out) {
  std::string text;
  return failure(parser.parseKeywordOrString(&text) || ((out = parser.getBuilder().getStringAttr(text)), false));
}
ParseResult parseValue(AsmParser &parser, bool &, Attribute &out) {
  StringRef word;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (word != "true" && word != "false")
    return parser.emitError(place, "expected 'true' or 'false'");
  return out = parser.getBuilder().getBoolAttr(word == "true"), success();
}
ParseResult parseValue(AsmParser &parser, int64_t &, Attribute &out) {
  int64_t value = 0;
  return failure(parser.parseInteger(value) || ((out = parser.getBuilder().getI64IntegerAttr(value)), false));
}
/// Whole numbers as well: "3350".
ParseResult parseValue(AsmParser &parser, double &, Attribute &out) {
  double value = 0;
  int64_t whole = 0;
  if (OptionalParseResult isWhole = parser.parseOptionalInteger(whole); isWhole.has_value()) {
    if (failed(*isWhole))
      return failure();
    value = double(whole);
  } else if (parser.parseFloat(value)) {
    return failure();
  }
  return out = parser.getBuilder().getF64FloatAttr(value), success();
}
ParseResult parseValue(AsmParser &parser, std::vector<std::string> &, Attribute &out) {
  SmallVector<std::string> texts;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&]() -> ParseResult { return parser.parseString(&texts.emplace_back()); }))
    return failure();
  return out = parser.getBuilder().getStrArrayAttr(llvm::to_vector_of<StringRef>(texts)), success();
}

void printValue(AsmPrinter &printer, Attribute value) {
  if (auto text = dyn_cast<StringAttr>(value)) {
    printer.printKeywordOrString(text);
  } else if (auto list = dyn_cast<ArrayAttr>(value)) {
    printer << '[';
    llvm::interleaveComma(list, printer, [&](Attribute each) { printer.printAttribute(each); });
    printer << ']';
  } else {
    printer.printAttributeWithoutType(value);
  }
}

/// The keys there are, for a message.
std::string knownKeys() {
  std::string keys = "'" + kName.str() + "'";
  DeviceModel::fields(kUnknown,
                      [&](const char *key, const auto &, StringRef) { keys += std::string(", '") + key + "'"; });
  return keys;
}

} // namespace

Attribute DeviceAttr::parse(AsmParser &parser, Type) {
  llvm::SMLoc start = parser.getCurrentLocation();
  NamedAttrList entries;
  auto parseEntry = [&]() -> ParseResult {
    llvm::SMLoc place = parser.getCurrentLocation();
    StringRef key;
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (entries.get(key))
      return parser.emitError(place) << "'" << key << "' is listed twice";
    Attribute value;
    bool isKnown = key == kName, isParsed = true;
    std::string text;
    if (isKnown)
      isParsed = succeeded(parseValue(parser, text, value));
    DeviceModel model;
    DeviceModel::fields(model, [&](const char *known, auto &stated, StringRef) {
      if (key == known) {
        isKnown = true;
        isParsed = succeeded(parseValue(parser, stated.value, value));
      }
    });
    if (!isKnown)
      return parser.emitError(place) << "'" << key << "' is no value of a device; there are " << knownKeys();
    if (!isParsed)
      return failure();
    entries.append(key, value);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseEntry))
    return {};
  return parser.getChecked<DeviceAttr>(start, parser.getContext(), entries.getDictionary(parser.getContext()));
}

/// In the order of DeviceModel::fields, which is the order of device files.
void DeviceAttr::print(AsmPrinter &printer) const {
  printer << '<';
  StringRef separator = "";
  auto print = [&](StringRef key) {
    if (Attribute value = getEntries().get(key)) {
      printer << separator << key << " = ";
      printValue(printer, value);
      separator = ", ";
    }
  };
  print(kName);
  DeviceModel::fields(kUnknown, [&](const char *key, const auto &, StringRef) { print(key); });
  printer << '>';
}

LogicalResult DeviceAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, DictionaryAttr entries) {
  DeviceModel model;
  size_t known = 0;
  LogicalResult result = success();
  if (Attribute name = entries.get(kName)) {
    ++known;
    if (!isa<StringAttr>(name))
      result = emitError() << "the value of 'name' must be a text";
  }
  DeviceModel::fields(model, [&](const char *key, auto &stated, StringRef) {
    Attribute value = entries.get(key);
    if (!value || failed(result))
      return;
    ++known;
    if (StringRef wanted = fromAttribute(value, stated.value); !wanted.empty())
      result = emitError() << "the value of '" << key << "' must be " << wanted;
  });
  if (failed(result))
    return failure();
  if (known != entries.size())
    return emitError() << "a device has no other values than " << knownKeys();
  if (std::string why = contradictionIn(model); !why.empty())
    return emitError() << why;
  return success();
}

DeviceAttr DeviceAttr::of(MLIRContext *context, const DeviceModel &model) {
  Builder builder(context);
  NamedAttrList entries;
  if (!model.name.empty())
    entries.append(kName, builder.getStringAttr(model.name));
  DeviceModel::fields(model, [&](const char *key, const auto &stated, StringRef) {
    if (stated.isKnown())
      entries.append(key, toAttribute(builder, stated.value));
  });
  return get(context, entries.getDictionary(context));
}

DeviceModel DeviceAttr::model() const {
  DeviceModel model;
  if (auto name = getEntries().getAs<StringAttr>(kName))
    model.name = name.str();
  DeviceModel::fields(model, [&](const char *key, auto &stated, StringRef) {
    Attribute value = getEntries().get(key);
    if (value && fromAttribute(value, stated.value).empty())
      stated.source = kDeviceAttr.str();
  });
  return model;
}

AbstractAttribute fuselage::introduceDevice(Dialect &dialect) {
  mlir::detail::AttributeUniquer::registerAttribute<DeviceAttr>(dialect.getContext());
  return AbstractAttribute::get<DeviceAttr>(dialect);
}

LogicalResult fuselage::verifyDeviceOf(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != kDeviceAttr || isa<DeviceAttr>(attribute.getValue()))
    return success();
  return op->emitError() << "'" << kDeviceAttr << "' must be #fuselage.device<..>, as fuselage-set-device makes it";
}

DeviceModel fuselage::deviceOf(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto device = op->getAttrOfType<DeviceAttr>(kDeviceAttr))
      return device.model();
  return {};
}

void fuselage::setDevice(Operation *op, const DeviceModel &model) {
  op->getContext()->getOrLoadDialect("fuselage");
  op->setAttr(kDeviceAttr, DeviceAttr::of(op->getContext(), model));
}
