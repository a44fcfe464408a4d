#include "core/tuning/space/KnobTarget.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::tune {

std::string nameOf(KnobTarget target) {
  std::string name = knobNames[size_t(target.role)].str();
  return target.role == KnobRole::WorkgroupTile ? name + std::to_string(target.loop) : name;
}

std::optional<KnobTarget> knobTargetOf(llvm::StringRef name) {
  unsigned loop = 0;
  if (llvm::StringRef number = name;
      number.consume_front(knobNames[size_t(KnobRole::WorkgroupTile)]) && !number.getAsInteger(10, loop))
    return KnobTarget{KnobRole::WorkgroupTile, loop};
  for (auto [number, known] : llvm::enumerate(knobNames))
    if (auto role = KnobRole(number); role != KnobRole::WorkgroupTile && known == name)
      return KnobTarget{role};
  return std::nullopt;
}

} // namespace fuselage::tune
