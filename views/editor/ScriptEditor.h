// The editor tab: a script with its name, what is wrong with it, and the place of the caret.
#pragma once
#include "views/messages/DocumentTypes.h"
#include <QWidget>

class QLabel;
class QListWidget;
class QToolButton;

namespace fuselage {

class ScriptEdit;

class ScriptEditor : public QWidget {
  Q_OBJECT
public:
  explicit ScriptEditor(QWidget *parent = nullptr);

  ScriptEdit *edit() const { return edit_; }
  /// What the script is called, and where it lies.
  void setName(const QString &name, const QString &path);
  /// Marks and lists them; `verdict`: a word where there is nothing to list.
  void setProblems(const QList<protocol::Diagnostic> &problems, const QString &verdict);
  QListWidget *problemList() const { return problems_; }
  QLabel *title() const { return title_; }
  QLabel *verdict() const { return verdict_; }

signals:
  void newRequested();
  void openRequested();
  void saveRequested();
  void reloadRequested();

private:
  QToolButton *addButton(const QString &icon, const QString &text, void (ScriptEditor::*asked)());
  void showTitle();
  void showPlace();

  ScriptEdit *edit_;
  QLabel *title_, *verdict_, *place_;
  QListWidget *problems_;
  QString name_;
};

} // namespace fuselage
