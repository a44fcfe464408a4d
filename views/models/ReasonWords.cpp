#include "views/models/ReasonWords.h"
#include <QCoreApplication>
#include <QHash>

namespace fuselage {

/// Titles by code.
static const QHash<QString, const char *> &titlesOf(ReasonFamily family) {
  static const QHash<QString, const char *> ofFusion = {
#define FUSION_REASON(Name, code, title, sentence, legal, unlocks, parent) {QStringLiteral(code), title},
#include "core/text/Reasons.def"
  };
  static const QHash<QString, const char *> ofBuffers = {
#define BUFFER_REASON(Name, code, title, sentence) {QStringLiteral(code), title},
#include "core/text/Reasons.def"
  };
  return family == ReasonFamily::Fusion ? ofFusion : ofBuffers;
}

QString reasonWords(const QString &code, ReasonFamily family) {
  if (const char *words = titlesOf(family).value(code))
    return QCoreApplication::translate("ReasonWords", words);
  QString words = code.toLower().replace(u'_', u' ');
  if (!words.isEmpty())
    words[0] = words[0].toUpper();
  return words;
}

} // namespace fuselage
