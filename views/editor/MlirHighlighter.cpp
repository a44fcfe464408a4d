#include "views/editor/MlirHighlighter.h"
#include "views/text/LineRenderer.h"
#include "views/text/MlirTokenizer.h"

namespace fuselage {

MlirHighlighter::MlirHighlighter(QTextDocument *document) : QSyntaxHighlighter(document), theme_(&Theme::light()) {}

void MlirHighlighter::setTheme(const Theme &theme) {
  if (theme_ == &theme)
    return;
  theme_ = &theme;
  rehighlight();
}

void MlirHighlighter::highlightBlock(const QString &line) {
  for (const Token &token : tokenizeMlir(QStringView(line).left(LineRenderer::maxColumns))) {
    QTextCharFormat format;
    format.setForeground(theme_->token(token.kind));
    format.setFontItalic(token.kind == TokenKind::Comment);
    setFormat(token.begin, token.length, format);
  }
}

} // namespace fuselage
