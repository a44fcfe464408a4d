#include "views/widgets/HelpPage.h"
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace fuselage {

QString helpSection(const QString &readme, const QString &heading, bool dark, int width) {
  const qsizetype start = readme.indexOf(heading + u'\n');
  if (start < 0)
    return {};
  const qsizetype level = heading.indexOf(u' ');
  const QRegularExpression next(u"^#{1,%1} "_s.arg(level), QRegularExpression::MultilineOption);
  const qsizetype end = readme.indexOf(next, start + heading.size());
  QString text = readme.sliced(start, (end < 0 ? readme.size() : end) - start);
  static const QRegularExpression picture(
      uR"re(<picture>\s*<source [^>]*srcset="([^"]*)">\s*<img alt="([^"]*)" src="([^"]*)">\s*</picture>)re"_s);
  QRegularExpressionMatch match;
  while ((match = picture.match(text)).hasMatch())
    text.replace(match.capturedStart(), match.capturedLength(),
                 u"<img alt=\"%1\" src=\"qrc:/%2\" width=\"%3\">"_s.arg(match.captured(2), match.captured(dark ? 1 : 3))
                     .arg(width));
  return text;
}

} // namespace fuselage
