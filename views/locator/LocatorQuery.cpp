#include "views/locator/LocatorQuery.h"
#include <QCoreApplication>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

static QString tr(const char *text) { return QCoreApplication::translate("LocatorQuery", text); }

const QList<LocatorPrefix> &locatorPrefixes() {
  using enum LocatorKind;
  static const QList<LocatorPrefix> prefixes{
      {u'>', tr("commands and settings, disabled ones too"), u"> fit"_s, {Command, Setting}},
      {u'@', tr("functions and other symbols"), u"@main"_s, {Symbol}},
      {u'%', tr("values"), u"%q_mm"_s, {Value}},
      {u'/', tr("layers, dispatches and weights"), u"/ layer 3 attention"_s, {Part, Dispatch, Weight}},
      {u':', tr("a line of the IR, and ops that come from that line of your file"), u":120"_s, {Line, Location}},
      {u'#', tr("steps, and passes that can be run"), u"# canonicalize"_s, {Step, Pass}},
      {u'?', tr("help: pages, reasons, normal forms, passes"), u"? halo"_s, {Help, Pass}},
  };
  return prefixes;
}

static const LocatorPrefix *prefixOf(QChar sign) {
  for (const LocatorPrefix &prefix : locatorPrefixes())
    if (prefix.sign == sign)
      return &prefix;
  return nullptr;
}

LocatorQuery LocatorQuery::parse(const QString &typed) {
  const QString text = typed.trimmed();
  if (text.isEmpty() || !prefixOf(text[0]))
    return {.sign = {}, .text = text};
  return {.sign = text[0], .text = text.mid(1).trimmed()};
}

bool LocatorQuery::wants(LocatorKind kind) const {
  const LocatorPrefix *prefix = sign.isNull() ? nullptr : prefixOf(sign);
  return !prefix || prefix->kinds.contains(kind);
}

NameRank LocatorQuery::rank(const QString &name, const QString &also) const {
  const QByteArray pattern = text.toLower().toUtf8();
  const auto rankOfText = [&pattern](const QString &text) {
    const QByteArray lower = text.toLower().toUtf8();
    return rankOf(std::string_view(lower.data(), size_t(lower.size())), std::string_view(pattern.data(), size_t(pattern.size())));
  };
  const NameRank own = rankOfText(name);
  if (own <= NameRank::Inside || also.isEmpty())
    return own;
  const NameRank both = rankOfText(name + u' ' + also);
  return both <= NameRank::Inside ? NameRank::Inside : own;
}

} // namespace fuselage
