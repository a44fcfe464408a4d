// The commands that show a view.
#pragma once
#include "app/gui/shell/Controller.h"

namespace fuselage {

class ViewsController : public Controller {
  Q_OBJECT
public:
  explicit ViewsController(Shell &shell);
  /// Shows the text, below the graph where that is in sight.
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  void showText() { textBelowGraph_->setChecked(true); }

private:
  QAction *textBelowGraph_;
};

} // namespace fuselage
