#include "views/common/SceneData.h"

namespace fuselage {

int hopeOf(FusionMark mark) {
  constexpr int hopes[] = {0, 1, 5, 3, 4, 2};
  return hopes[int(mark)];
}

NodeData::Kind NodeData::kindFromName(QStringView name) {
  static constexpr std::pair<const char *, Kind> names[] = {{"compute", Kind::Compute},
                                                            {"constant", Kind::Constant},
                                                            {"empty", Kind::Empty},
                                                            {"reshape", Kind::Reshape},
                                                            {"slice", Kind::Slice},
                                                            {"call", Kind::Call},
                                                            {"argument", Kind::Argument},
                                                            {"return", Kind::Return},
                                                            {"control", Kind::Control},
                                                            {"dispatch", Kind::Dispatch},
                                                            {"gap", Kind::Gap}};
  for (auto [text, kind] : names)
    if (name.compare(QLatin1String(text), Qt::CaseInsensitive) == 0)
      return kind;
  return Kind::Other;
}

ClusterData::Kind ClusterData::kindFromName(QStringView name) {
  static constexpr std::pair<const char *, Kind> names[] = {{"function", Kind::Function}, {"dispatch", Kind::Dispatch},
                                                            {"repeat", Kind::Repeat},     {"instance", Kind::Instance},
                                                            {"others", Kind::Others},     {"scope", Kind::Scope}};
  for (auto [text, kind] : names)
    if (name.compare(QLatin1String(text), Qt::CaseInsensitive) == 0)
      return kind;
  return Kind::Region;
}

size_t qHash(const EdgeUse &use, size_t seed) { return qHashMulti(seed, use.from, use.to, use.operand); }

QString heatText(const HeatData &heat, double value) {
  return heat.text ? heat.text(value) : QString::number(value, 'g', 4);
}

} // namespace fuselage
