#include "views/locator/LocatorQuery.h"
#include <QCoreApplication>
#include <QRegularExpression>
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
      {u'?', tr("help: terms, pages, reasons, normal forms, passes"), u"? halo"_s, {Help, Pass}},
  };
  return prefixes;
}

static const LocatorPrefix *prefixOf(QChar sign) {
  for (const LocatorPrefix &prefix : locatorPrefixes())
    if (prefix.sign == sign)
      return &prefix;
  return nullptr;
}

/// "what is a tile?" is "? tile"; other texts stay.
static QString withoutQuestion(const QString &typed) {
  static const QRegularExpression question(
      uR"(^(?:what\s+(?:is|are|does)|define|explain)\s+(?:an?\s+|the\s+)?(.+?)(?:\s+mean)?\s*\?*$)"_s,
      QRegularExpression::CaseInsensitiveOption);
  const QRegularExpressionMatch match = question.match(typed);
  return match.hasMatch() ? u"? "_s + match.captured(1) : typed;
}

LocatorQuery LocatorQuery::parse(const QString &typed) {
  const QString text = withoutQuestion(typed.trimmed());
  const bool hasSign = !text.isEmpty() && prefixOf(text[0]);
  const QString words = hasSign ? text.mid(1).trimmed() : text;
  return {.sign = hasSign ? text[0] : QChar(), .text = words, .lower = words.toLower().toUtf8()};
}

bool LocatorQuery::wants(LocatorKind kind) const {
  const LocatorPrefix *prefix = sign.isNull() ? nullptr : prefixOf(sign);
  return !prefix || prefix->kinds.contains(kind);
}

NameRank LocatorQuery::rank(const LocatorEntry &entry) const {
  const auto rankOfText = [this](const QByteArray &name) {
    return rankOf(std::string_view(name.data(), size_t(name.size())),
                  std::string_view(lower.data(), size_t(lower.size())));
  };
  const NameRank own = rankOfText(entry.lowerName);
  if (own <= NameRank::Inside || entry.lowerAll.isEmpty())
    return own;
  return rankOfText(entry.lowerAll) <= NameRank::Inside ? NameRank::Inside : own;
}

} // namespace fuselage
