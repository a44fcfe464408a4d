#include "views/widgets/help/HelpPage.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

QString helpPage(const QString &markdown, bool dark) {
  QString text = markdown;
  static const QRegularExpression picture(
      uR"re(<picture>\s*<source [^>]*srcset="([^"]*)">\s*<img alt="([^"]*)" src="([^"]*)">\s*</picture>)re"_s);
  QRegularExpressionMatch match;
  while ((match = picture.match(text)).hasMatch())
    text.replace(
        match.capturedStart(), match.capturedLength(),
        u"![%1](qrc:/screenshots/%2)"_s.arg(match.captured(2), match.captured(dark ? 1 : 3).section(u'/', -1)));
  return text;
}

QString anchorOf(const QString &heading) {
  QString anchor;
  for (const QChar c : heading.toLower())
    if (c.isLetterOrNumber() || c == u'-' || c == u'_')
      anchor += c;
    else if (c == u' ')
      anchor += u'-';
  return anchor;
}

} // namespace fuselage
