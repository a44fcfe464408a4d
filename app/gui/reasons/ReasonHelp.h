// The pages on reasons of one kind: a panel, and its texts from the engine, asked for once.
#pragma once
#include "app/gui/shell/LazyPanel.h"
#include "app/gui/shell/Shell.h"
#include "views/models/ReasonModel.h"

namespace fuselage {

class ReasonPanel;

class ReasonHelp : public QObject {
  Q_OBJECT
public:
  enum class Reasons { Fusion, Buffers };
  /// `about` stands where no page is open.
  ReasonHelp(Shell &shell, Reasons of, const QString &about, QObject *parent);
  ReasonPanel &panel() const;
  /// For a dock; the panel is made when it is first seen.
  QWidget *place() const { return panel_.place(); }
  /// Opens a reason's page as soon as it is there; empty: the first.
  void explain(const QString &code);

protected:
  /// The panel may be opened without a reason: then it shows the first.
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  ReasonPanel *make(const QString &about);
  QString first() const;
  template <class Method> void ask(const QString &code);
  /// Opens a copy that the user may change.
  void openExample(const QString &code, const QString &text);
  Shell &shell_;
  Reasons of_;
  ReasonModel reasons_;
  LazyPanel<ReasonPanel> panel_;
};

} // namespace fuselage
