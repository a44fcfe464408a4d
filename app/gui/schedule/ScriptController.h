// The script in the editor: where it lies, whether it is saved, and what the engine says about it.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/editor/ScriptEdit.h"

namespace fuselage {

class ScriptEditor;

class ScriptController : public Controller {
  Q_OBJECT
public:
  explicit ScriptController(Shell &shell);

  ScriptEditor &editor() { return *editor_; }
  ScriptEdit &edit() { return *edit_; }
  QString text() const { return edit_->text(); }
  /// As one edit that can be undone.
  void replaceText(const QString &text) { edit_->replaceText(text); }
  /// Of the file; empty: the script has none yet.
  const QString &path() const { return path_; }
  /// What diagnostics and steps of a trace call the file.
  QString fileName() const;
  bool isEmpty() const { return path_.isEmpty() && edit_->document()->isEmpty(); }

  /// False: the user keeps what is there, or the file cannot be edited; `why` gets the reason.
  bool open(const QString &path, QString *why = nullptr);
  /// A script that does nothing yet, or this one. False: the user keeps what is there.
  bool newScript(const QString &text = {});
  bool save();
  bool saveAs();
  void reload();
  /// Brings the tab to the front.
  void showEditor() { shell().showView(View::Schedule); }
  /// A script with an entry that holds these lines.
  static QString skeleton(const QString &body = {});

  bool mayClose() override { return mayDrop(); }

signals:
  /// Another script, or the same one under another name.
  void scriptChanged();

private:
  void addCommands();
  void chooseFile();
  bool mayDrop();
  bool write(const QString &path);
  void take(const QString &text, const QString &path);

  ScriptEditor *editor_;
  ScriptEdit *edit_;
  QString path_;
};

} // namespace fuselage
