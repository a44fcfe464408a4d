#include "views/common/SceneData.h"

namespace fuselage {

NodeData::Kind NodeData::kindFromName(QStringView name) {
  static constexpr std::pair<const char *, Kind> names[] = {
      {"compute", Kind::Compute},   {"constant", Kind::Constant}, {"empty", Kind::Empty},
      {"reshape", Kind::Reshape},   {"slice", Kind::Slice},       {"call", Kind::Call},
      {"argument", Kind::Argument}, {"return", Kind::Return},     {"control", Kind::Control},
      {"dispatch", Kind::Dispatch}, {"gap", Kind::Gap}};
  for (auto [text, kind] : names)
    if (name.compare(QLatin1String(text), Qt::CaseInsensitive) == 0)
      return kind;
  return Kind::Other;
}

ClusterData::Kind ClusterData::kindFromName(QStringView name) {
  if (name.compare(QLatin1String("function"), Qt::CaseInsensitive) == 0)
    return Kind::Function;
  if (name.compare(QLatin1String("dispatch"), Qt::CaseInsensitive) == 0)
    return Kind::Dispatch;
  return Kind::Region;
}

} // namespace fuselage
