#include "views/widgets/help/TermLinks.h"
#include <QFile>
#include <QSet>
#include <QTextBlock>
#include <QTextBrowser>
#include <QUrl>
#include <QWhatsThis>

using namespace Qt::StringLiterals;

namespace fuselage {

const Glossary &helpGlossary() {
  static const Glossary known = [] {
    QFile file(u":/docs/glossary.md"_s);
    return Glossary(file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string());
  }();
  return known;
}

/// Whether all of a piece of a block is running text.
static bool isPlain(const QTextBlock &block, qsizetype begin, qsizetype length) {
  for (QTextBlock::iterator it = block.begin(); !it.atEnd(); ++it) {
    const QTextFragment fragment = it.fragment();
    const qsizetype from = fragment.position() - block.position(), to = from + fragment.length();
    if (to <= begin || from >= begin + length)
      continue;
    const QTextCharFormat format = fragment.charFormat();
    if (format.isAnchor() || format.isImageFormat() || format.fontFixedPitch())
      return false;
  }
  return true;
}

void linkTerms(QTextBrowser &page) {
  QSet<const GlossaryEntry *> used;
  for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next()) {
    if (block.blockFormat().headingLevel() > 0 || block.blockFormat().hasProperty(QTextFormat::BlockCodeFence))
      continue;
    // A letter a byte: terms are of ASCII.
    const std::string text = block.text().toLatin1().toStdString();
    for (const Glossary::Use &use : helpGlossary().usesIn(text)) {
      const auto begin = qsizetype(use.begin), length = qsizetype(use.length);
      if (used.contains(use.entry) || !isPlain(block, begin, length))
        continue;
      used.insert(use.entry);
      QTextCharFormat format;
      format.setAnchor(true);
      format.setAnchorHref(u"term:"_s + QString::fromStdString(use.entry->words.front()));
      format.setToolTip(QString::fromStdString(use.entry->meaning));
      format.setUnderlineStyle(QTextCharFormat::DotLine);
      QTextCursor cursor(block);
      cursor.setPosition(int(block.position() + begin));
      cursor.setPosition(int(block.position() + begin + length), QTextCursor::KeepAnchor);
      cursor.mergeCharFormat(format);
    }
  }
}

bool showTerm(QTextBrowser &page, const QUrl &link) {
  if (link.scheme() != "term"_L1)
    return false;
  const GlossaryEntry *entry = helpGlossary().find(link.path().toStdString());
  if (!entry)
    return true;
  const QString text = u"<b>%1</b><br>%2"_s.arg(QString::fromStdString(entry->words.front()).toHtmlEscaped(),
                                                QString::fromStdString(entry->meaning).toHtmlEscaped());
  const QPoint below = page.cursorRect().bottomLeft() + QPoint(0, 4);
  QWhatsThis::showText(page.viewport()->mapToGlobal(below), text, &page);
  return true;
}

} // namespace fuselage
