// Which workgroup this is, how many there are, and how big they are.
#include "core/dialects/decoders/DecoderSupport.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"hal.interface.workgroup.id",
                                                "hal.interface.workgroup.count",
                                                "hal.interface.workgroup.size",
                                                "flow.dispatch.workgroup.id",
                                                "flow.dispatch.workgroup.count",
                                                "flow.dispatch.workgroup.size",
                                                "flow.dispatch.workgroup.rank",
                                                "stream.dispatch.workgroup.id",
                                                "stream.dispatch.workgroup.count",
                                                "stream.dispatch.workgroup.size",
                                                "iree.workgroup_id",
                                                "iree.workgroup_count",
                                                "iree.workgroup_size",
                                                "flow.dispatch.workgroup_count_from_slice",
                                                "flow.dispatch.workgroup_count_from_dag_root",
                                                "flow.dispatch.default_workgroup_count",
                                                "iree_tensor_ext.dispatch.workgroup_count_from_slice",
                                                "iree_tensor_ext.dispatch.workgroup_count_from_dag_root"};

/// "x" of {dimension = "x"}, {dimension = 0 : index} and [0].
static std::string dimensionOf(Operation *op) {
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (attribute.getName() == "upper_bound")
      continue;
    if (auto word = dyn_cast<StringAttr>(attribute.getValue()); word && attribute.getName() == "dimension")
      return word.getValue().str();
    std::optional<int64_t> number;
    if (auto integer = dyn_cast<IntegerAttr>(attribute.getValue()))
      number = integer.getValue().getLimitedValue();
    else if (auto list = dyn_cast<DenseI64ArrayAttr>(attribute.getValue()); list && list.size() == 1)
      number = list[0];
    if (number)
      return *number >= 0 && *number < 3 ? std::string(1, static_cast<char>('x' + *number)) : std::to_string(*number);
  }
  return "";
}

static bool decodeInfo(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() == 0)
    return false;
  decoded.role = OpRole::WorkgroupInfo;
  StringRef name = op->getName().stripDialect();
  StringRef what = name.contains("count")  ? "count"
                   : name.contains("size") ? "size"
                   : name.contains("rank") ? "rank"
                                           : "id";
  decoded.label = ("workgroup " + what).str();
  if (op->getNumResults() == 1)
    if (std::string dimension = dimensionOf(op); !dimension.empty())
      decoded.label += " " + dimension;
  return true;
}

extern const Decoder workgroupInfoDecoder = {names, decodeInfo};

} // namespace fuselage
