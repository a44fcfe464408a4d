#include "core/run/inspect/ValueMessage.h"

namespace fuselage {

message::EdgeValue<> messageOf(const ComputedValue &computed, const ValueStatistics &statistics,
                               const std::string &name, uint64_t seed) {
  message::EdgeValue<> message{.name = name,
                               .type = {},
                               .computed = bool(computed.tensor),
                               .flops = computed.flops,
                               .ops = int(computed.ops),
                               .function = computed.function,
                               .which = computed.which,
                               .seed = int64_t(seed),
                               .inputs = computed.inputs,
                               .milliseconds = computed.milliseconds,
                               .statistics = statistics,
                               .scalar = {},
                               .slice = {}};
  if (!computed.tensor)
    return message;
  message.type = textOf(computed.tensor.type());
  if (computed.tensor.shape().empty())
    message.scalar = elementDigits(computed.tensor, 0);
  return message;
}

} // namespace fuselage
