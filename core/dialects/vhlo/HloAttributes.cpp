#include "core/dialects/vhlo/HloAttributes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

Attribute spelledAttribute(MLIRContext *context, StringRef text) { return parseAttribute(text, context); }

namespace {
struct EnumWords {
  StringRef name;
  int64_t first; ///< the value of the first word
  SmallVector<StringRef> words;
};
} // namespace

static const EnumWords &wordsOf(HloEnum kind) {
  // In the order of HloEnum.
  static const EnumWords all[] = {
      {"comparison_direction", 0, {"EQ", "NE", "GE", "GT", "LE", "LT"}},
      {"comparison_type", 0, {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
      {"fft_type", 0, {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {"precision", 0, {"DEFAULT", "HIGH", "HIGHEST"}},
      {"result_accuracy_mode", 0, {"DEFAULT", "HIGHEST", "TOLERANCE"}},
      {"rng_algorithm", 0, {"DEFAULT", "THREE_FRY", "PHILOX"}},
      {"rng_distribution", 1, {"UNIFORM", "NORMAL"}},
      {"transpose", 0, {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
  };
  return all[static_cast<unsigned>(kind)];
}

Attribute hloEnum(MLIRContext *context, StringRef dialect, HloEnum kind, uint64_t value) {
  const EnumWords &known = wordsOf(kind);
  uint64_t index = value - known.first;
  if (index >= known.words.size())
    return {};
  if (kind == HloEnum::ResultAccuracyMode)
    return spelledAttribute(context, ("#" + dialect + "." + known.name + "<" + known.words[index] + ">").str());
  return spelledAttribute(context, ("#" + dialect + "<" + known.name + " " + known.words[index] + ">").str());
}

static std::string listed(ArrayRef<int64_t> list) {
  return "[" + llvm::join(llvm::map_range(list, [](int64_t number) { return std::to_string(number); }), ", ") + "]";
}

Attribute hloStruct(MLIRContext *context, StringRef name, ArrayRef<HloMember> members) {
  SmallVector<std::string> parts;
  for (const HloMember &member : members) {
    bool isEmpty = member.list.empty() || (member.isNumber && member.list.front() == 0);
    if (member.isOptional && isEmpty)
      continue;
    std::string value = member.isNumber ? std::to_string(member.list.front()) : listed(member.list);
    parts.push_back((member.name + " = " + value).str());
  }
  return spelledAttribute(context, ("#" + name + "<" + llvm::join(parts, ", ") + ">").str());
}

/// `[b, f, 0, 1]`; empty if one dimension has two roles, or none.
static std::string spellSide(const ConvolutionSide &side, StringRef first, StringRef second) {
  SmallVector<std::string> roles(side.spatial.size() + 2);
  bool isFine = true;
  auto place = [&](int64_t dimension, std::string role) {
    isFine &= dimension >= 0 && dimension < int64_t(roles.size()) && roles[dimension].empty();
    if (isFine)
      roles[dimension] = std::move(role);
  };
  place(side.first, first.str());
  place(side.second, second.str());
  for (auto [number, dimension] : llvm::enumerate(side.spatial))
    place(dimension, std::to_string(number));
  return isFine ? "[" + llvm::join(roles, ", ") + "]" : "";
}

Attribute convolutionDimensions(MLIRContext *context, const ConvolutionSide &input, const ConvolutionSide &kernel,
                                const ConvolutionSide &output) {
  std::string in = spellSide(input, "b", "f"), by = spellSide(kernel, "o", "i"), out = spellSide(output, "b", "f");
  if (in.empty() || by.empty() || out.empty())
    return {};
  return spelledAttribute(context, "#stablehlo.conv<" + in + "x" + by + "->" + out + ">");
}

Attribute boundsAttribute(MLIRContext *context, ArrayRef<int64_t> bounds) {
  auto spell = [](int64_t bound) { return ShapedType::isDynamic(bound) ? "?" : std::to_string(bound); };
  return spelledAttribute(context, "#stablehlo.bounds<" + llvm::join(llvm::map_range(bounds, spell), ", ") + ">");
}

Attribute resultAccuracy(MLIRContext *context, double absolute, double relative, int64_t ulps, Attribute mode) {
  std::string text = "#stablehlo.result_accuracy<";
  llvm::raw_string_ostream os(text);
  auto spell = [&](StringRef name, double value) {
    if (value == 0)
      return;
    std::string number;
    llvm::raw_string_ostream(number) << FloatAttr::get(Float64Type::get(context), value);
    os << name << " = " << StringRef(number).split(" :").first << ", ";
  };
  spell("atol", absolute);
  spell("rtol", relative);
  if (ulps != 0)
    os << "ulps = " << ulps << ", ";
  os << "mode = " << mode << ">";
  return spelledAttribute(context, text);
}

/// The attribute whose text `print` prints.
static Attribute spell(MLIRContext *context, llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return spelledAttribute(context, text);
}

Attribute dotAlgorithm(MLIRContext *context, ArrayRef<Type> types, ArrayRef<int64_t> counts, bool allowsImprecision) {
  return spell(context, [&](llvm::raw_ostream &os) {
    os << "#stablehlo.dot_algorithm<lhs_precision_type = " << types[0] << ", rhs_precision_type = " << types[1]
       << ", accumulation_type = " << types[2] << ", lhs_component_count = " << counts[0]
       << ", rhs_component_count = " << counts[1] << ", num_primitive_operations = " << counts[2]
       << ", allow_imprecise_accumulation = " << (allowsImprecision ? "true" : "false") << ">";
  });
}

StringAttr subAxis(MLIRContext *context, int64_t before, int64_t size) {
  return StringAttr::get(context, "(" + Twine(before) + ")" + Twine(size));
}

Attribute axisReference(MLIRContext *context, StringRef name, StringAttr part) {
  return spell(context, [&](llvm::raw_ostream &os) {
    os << "#stablehlo.axis_ref<name = " << StringAttr::get(context, name);
    if (part)
      os << ", sub_axis_info = " << part.getValue();
    os << ">";
  });
}

Attribute meshAxis(MLIRContext *context, StringRef name, int64_t size) {
  return spell(context, [&](llvm::raw_ostream &os) {
    os << "#stablehlo.mesh_axis<name = " << StringAttr::get(context, name) << ", size = " << size << ">";
  });
}

Attribute meshAttribute(MLIRContext *context, Attribute axes, Attribute devices) {
  return spell(context, [&](llvm::raw_ostream &os) {
    os << "#stablehlo.mesh<axes = " << axes;
    if (devices)
      os << ", device_ids = " << devices;
    os << ">";
  });
}

Attribute replicaGroupMeshAxes(MLIRContext *context, Attribute mesh, Attribute axes) {
  if (auto symbol = dyn_cast<StringAttr>(mesh))
    mesh = FlatSymbolRefAttr::get(symbol);
  return spell(context, [&](llvm::raw_ostream &os) {
    os << "#stablehlo.replica_group_mesh_axes<mesh = " << mesh << ", axes = " << axes << ">";
  });
}

} // namespace fuselage
