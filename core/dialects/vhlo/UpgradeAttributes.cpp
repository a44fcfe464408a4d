#include "core/dialects/vhlo/UpgradeAttributes.h"
#include "core/dialects/vhlo/HloAttributes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fuselage {

namespace {

/// VHLO spells out what StableHLO collects in one attribute, and has every attribute, if need be with its default.
class AttributeUpgrade {
public:
  AttributeUpgrade(Operation *op, StringRef name) : op_(op), name_(name), context_(op->getContext()) {
    rest_ = NamedAttrList(op->getAttrDictionary());
  }
  FailureOr<NamedAttrList> run();

private:
  Attribute take(StringRef name) { return rest_.erase(name); }
  SmallVector<int64_t> takeList(StringRef name);
  int64_t takeNumber(StringRef name);
  ConvolutionSide takeSide(StringRef first, StringRef second, StringRef spatial);
  bool isDefault(StringRef name, Attribute value) const;
  Attribute upgraded(StringRef name, Attribute value) const;

  void addConvolution();
  void addDot();
  void addAlgorithm();
  void addIndexDimensions(StringRef attribute, StringRef type, ArrayRef<StringRef> lists);
  void addGather();
  void addScatter();
  void addChannel();
  void add(StringRef name, Attribute value) {
    hasFailed_ |= !value;
    if (value)
      done_.set(name, value);
  }

  Operation *op_;
  StringRef name_;
  MLIRContext *context_;
  NamedAttrList rest_, done_;
  bool hasFailed_ = false;
};

} // namespace

/// The elements of a one-dimensional tensor of integers.
static std::optional<SmallVector<int64_t>> integersOf(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!elements || elements.getType().getRank() != 1 || elements.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  SmallVector<int64_t> list;
  for (const APInt &element : elements.getValues<APInt>())
    list.push_back(element.getBitWidth() == 1 ? int64_t(element.getZExtValue()) : element.getSExtValue());
  return list;
}

/// Empty if this version of the op lacks it.
SmallVector<int64_t> AttributeUpgrade::takeList(StringRef name) {
  Attribute attribute = take(name);
  std::optional<SmallVector<int64_t>> list = integersOf(attribute);
  hasFailed_ |= attribute && !list;
  return list.value_or(SmallVector<int64_t>());
}

int64_t AttributeUpgrade::takeNumber(StringRef name) {
  auto number = dyn_cast_or_null<IntegerAttr>(take(name));
  if (number && number.getValue().getSignificantBits() <= 64)
    return number.getValue().getSExtValue();
  hasFailed_ = true;
  return 0;
}

ConvolutionSide AttributeUpgrade::takeSide(StringRef first, StringRef second, StringRef spatial) {
  return {.first = takeNumber(first), .second = takeNumber(second), .spatial = takeList(spatial)};
}

void AttributeUpgrade::addConvolution() {
  ConvolutionSide input = takeSide("input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions");
  ConvolutionSide kernel =
      takeSide("kernel_output_feature_dimension", "kernel_input_feature_dimension", "kernel_spatial_dimensions");
  ConvolutionSide output = takeSide("output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions");
  add("dimension_numbers", convolutionDimensions(context_, input, kernel, output));
  // Until 0.19.0 the dynamic form had a padding beside its operand, which had no meaning.
  if (name_ == "dynamic_conv")
    (void)take("padding");
}

void AttributeUpgrade::addDot() {
  SmallVector<int64_t> lhsBatch = takeList("lhs_batching_dimensions"), rhsBatch = takeList("rhs_batching_dimensions"),
                       lhs = takeList("lhs_contracting_dimensions"), rhs = takeList("rhs_contracting_dimensions");
  add("dot_dimension_numbers", hloStruct(context_, "stablehlo.dot",
                                         {{"lhs_batching_dimensions", lhsBatch},
                                          {"rhs_batching_dimensions", rhsBatch},
                                          {"lhs_contracting_dimensions", lhs},
                                          {"rhs_contracting_dimensions", rhs}}));
}

/// Version 2 has it, spelled out; the type "none" says that there is none.
void AttributeUpgrade::addAlgorithm() {
  SmallVector<Type> types;
  SmallVector<int64_t> counts;
  for (StringRef name : {"lhs_precision_type", "rhs_precision_type", "accumulation_type"})
    if (auto type = dyn_cast_or_null<TypeAttr>(take(name)); type && !isa<NoneType>(type.getValue()))
      types.push_back(type.getValue());
  for (StringRef name : {"lhs_component_count", "rhs_component_count", "num_primitive_operations"})
    if (auto count = dyn_cast_or_null<IntegerAttr>(take(name)))
      counts.push_back(count.getValue().sextOrTrunc(64).getSExtValue());
  auto allows = dyn_cast_or_null<BoolAttr>(take("allow_imprecise_accumulation"));
  if (types.size() == 3 && counts.size() == 3)
    add("algorithm", dotAlgorithm(context_, types, counts, allows && allows.getValue()));
}

/// `lists` are the names of members that are lists, in the order of the attribute; the last member is a number.
void AttributeUpgrade::addIndexDimensions(StringRef attribute, StringRef type, ArrayRef<StringRef> lists) {
  SmallVector<SmallVector<int64_t>> values;
  for (StringRef name : lists)
    values.push_back(takeList(name));
  SmallVector<HloMember> members;
  for (auto [name, value] : llvm::zip_equal(lists, values))
    members.push_back({name, value});
  constexpr StringRef vector = "index_vector_dim";
  int64_t number = takeNumber(vector);
  members.push_back({vector, number, /*isNumber=*/true});
  add(attribute, hloStruct(context_, type, members));
}

void AttributeUpgrade::addGather() {
  addIndexDimensions("dimension_numbers", "stablehlo.gather",
                     {"offset_dims", "collapsed_slice_dims", "operand_batching_dims", "start_indices_batching_dims",
                      "start_index_map"});
}

void AttributeUpgrade::addScatter() {
  addIndexDimensions("scatter_dimension_numbers", "stablehlo.scatter",
                     {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                      "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"});
}

/// A handle and a type for send and recv, a handle only for collectives, where zero says that there is none.
void AttributeUpgrade::addChannel() {
  bool hasType = bool(rest_.get("channel_type"));
  int64_t handle = takeNumber("channel_id"), type = hasType ? takeNumber("channel_type") : 0;
  if (hasType || handle != 0)
    add("channel_handle", hloStruct(context_, "stablehlo.channel_handle",
                                    {{"handle", handle, /*isNumber=*/true, /*isOptional=*/false},
                                     {"type", type, /*isNumber=*/true, /*isOptional=*/false}}));
}

static bool isFalse(Attribute value) {
  auto flag = dyn_cast<BoolAttr>(value);
  return flag && !flag.getValue();
}

static bool isEmptyArray(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && array.empty();
}

static bool isEmptyString(Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  return text && text.empty();
}

/// A constant of this number only.
static bool isSplat(Attribute value, int64_t number) {
  auto elements = dyn_cast<DenseIntElementsAttr>(value);
  return elements && elements.isSplat() && elements.getNumElements() > 0 &&
         elements.getSplatValue<APInt>().sextOrTrunc(64).getSExtValue() == number;
}

static bool isInteger(Attribute value, int64_t number) {
  auto integer = dyn_cast<IntegerAttr>(value);
  return integer && integer.getValue().sextOrTrunc(64).getSExtValue() == number;
}

bool AttributeUpgrade::isDefault(StringRef name, Attribute value) const {
  if (name == "lower")
    return name_ == "cholesky" && isFalse(value);
  if (name == "dimension")
    return name_ == "sort" && isInteger(value, -1);
  static const llvm::StringSet<> flags = {"has_side_effect", "indices_are_sorted", "unique_indices",
                                          "is_stable",       "is_host_transfer",   "use_global_device_ids"};
  static const llvm::StringSet<> arrays = {
      "called_computations", "operand_layouts", "result_layouts", "output_operand_aliases", "layout",
      "arg_attrs",           "res_attrs"};
  static const llvm::StringSet<> strings = {"backend_config", "infeed_config", "outfeed_config", "sym_visibility"};
  static const llvm::StringSet<> ones = {"window_strides", "lhs_dilation", "rhs_dilation", "base_dilations",
                                         "window_dilations"};
  static const llvm::StringSet<> lists = {"known_expanding_dimensions", "known_nonexpanding_dimensions",
                                          "source_target_pairs"};
  if (flags.contains(name))
    return isFalse(value);
  if (arrays.contains(name))
    return isEmptyArray(value);
  if (strings.contains(name))
    return isEmptyString(value);
  if (ones.contains(name))
    return isSplat(value, 1);
  if (name == "padding" || name == "window_reversal")
    return isSplat(value, 0);
  if (name == "api_version")
    return isInteger(value, 1);
  if (name == "version")
    return isInteger(value, 0);
  if (name == "composite_attributes")
    return isa<DictionaryAttr>(value) && cast<DictionaryAttr>(value).empty();
  if (name == "compare_type")
    return value == hloEnum(context_, "stablehlo", HloEnum::ComparisonType, 0);
  if (name == "result_accuracy")
    return value == resultAccuracy(context_, 0, 0, 0, hloEnum(context_, "stablehlo", HloEnum::ResultAccuracyMode, 0));
  if (name == "precision_config" && isa<ArrayAttr>(value))
    return llvm::all_of(cast<ArrayAttr>(value),
                        [&](Attribute each) { return each == hloEnum(context_, "stablehlo", HloEnum::Precision, 0); });
  if (lists.contains(name) && name_ != "collective_permute")
    return isa<DenseElementsAttr>(value) && cast<DenseElementsAttr>(value).getNumElements() == 0;
  return false;
}

/// Where StableHLO has a list of numbers or flags, VHLO has a tensor; for a symbol it has a string.
Attribute AttributeUpgrade::upgraded(StringRef name, Attribute value) const {
  static const llvm::StringSet<> listed = {"base_dilations",
                                           "broadcast_dimensions",
                                           "broadcast_sizes",
                                           "dimensions",
                                           "edge_padding_high",
                                           "edge_padding_low",
                                           "fft_length",
                                           "interior_padding",
                                           "lhs_dilation",
                                           "limit_indices",
                                           "permutation",
                                           "rhs_dilation",
                                           "slice_sizes",
                                           "start_indices",
                                           "strides",
                                           "window_dilations",
                                           "window_dimensions",
                                           "window_strides",
                                           "window_reversal",
                                           "known_expanding_dimensions",
                                           "known_nonexpanding_dimensions"};
  if (listed.contains(name)) {
    std::optional<SmallVector<int64_t>> list = integersOf(value);
    if (!list)
      return {};
    if (name != "window_reversal")
      return DenseI64ArrayAttr::get(context_, *list);
    SmallVector<bool> flags(list->begin(), list->end());
    return DenseBoolArrayAttr::get(context_, flags);
  }
  if (name == "use_global_device_ids")
    return UnitAttr::get(context_);
  if (name == "callee" || name == "decomposition") {
    auto symbol = dyn_cast<StringAttr>(value);
    return symbol ? FlatSymbolRefAttr::get(symbol) : Attribute();
  }
  auto array = dyn_cast<ArrayAttr>(value);
  if (name == "called_computations" && array) {
    SmallVector<Attribute> symbols;
    for (Attribute each : array)
      symbols.push_back(isa<StringAttr>(each) ? FlatSymbolRefAttr::get(cast<StringAttr>(each)) : each);
    return ArrayAttr::get(context_, symbols);
  }
  return value;
}

FailureOr<NamedAttrList> AttributeUpgrade::run() {
  if (name_ == "convolution" || name_ == "dynamic_conv")
    addConvolution();
  if (name_ == "dot_general") {
    addDot();
    addAlgorithm();
  }
  if (name_ == "gather" || name_ == "dynamic_gather")
    addGather();
  if (name_ == "scatter")
    addScatter();
  if (rest_.get("channel_id"))
    addChannel();
  for (NamedAttribute attribute : rest_)
    if (!isDefault(attribute.getName(), attribute.getValue()))
      add(attribute.getName(), upgraded(attribute.getName(), attribute.getValue()));
  if (hasFailed_)
    return op_->emitError() << "'" << op_->getName() << "' has attributes that such an op does not have";
  return done_;
}

FailureOr<NamedAttrList> upgradeAttributes(Operation *op, StringRef name) { return AttributeUpgrade(op, name).run(); }

} // namespace fuselage
