// Colours of MLIR text while it is written, the same as where it is read.
#pragma once
#include "views/common/Theme.h"
#include <QSyntaxHighlighter>

namespace fuselage {

class MlirHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
public:
  explicit MlirHighlighter(QTextDocument *document);
  void setTheme(const Theme &theme);

protected:
  void highlightBlock(const QString &line) override;

private:
  const Theme *theme_;
};

} // namespace fuselage
