// The script in the editor: where it lies, whether it is saved, and what the engine says about it.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Draft.h"
#include "core/protocol/methods/ScriptSource.h"
#include "views/editor/ScriptEdit.h"
#include "views/messages/ScheduleTypes.h"
#include <QTimer>

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
  /// Where the script begins, and what its entry is given.
  method::ScriptOptions<protocol::QtTypes> options() const;
  /// "codegen mm=linalg.matmul size=4": the sequence to begin at, and its arguments beside the payload's module.
  void setEntry(const QString &text);

  /// False: the user keeps what is there, or the file cannot be edited; `why` gets the reason.
  bool open(const QString &path, QString *why = nullptr);
  /// A script that does nothing yet, or this one. False: the user keeps what is there.
  bool newScript(const QString &text = {});
  bool save();
  bool saveAs();
  void reload();
  /// The text of the file, in place of the one in the editor; an edit that can be undone.
  void takeFromDisk();
  /// The text in the editor stays, and may replace the file.
  void keepOverDisk();
  /// The file is not the one that the text comes from; false if it is gone.
  bool differsFromDisk() const;
  /// The text is the one that was read from the file, or written to it.
  bool isAsOnDisk() const;
  /// Brings a line (from 1) to the front; false: the file is another one.
  bool showLine(const QString &file, int line);
  /// The list of problems says why the text cannot be run.
  bool hasErrors() const;
  /// Brings the tab to the front.
  void showEditor() { shell().showView(View::Schedule); }
  /// A script with an entry that holds these lines.
  static QString skeleton(const QString &body = {});

  /// What went wrong when it ran, until the text is another one.
  void setRunProblems(const QList<protocol::Diagnostic> &problems);

  bool mayClose() override { return mayDrop(); }
  void opened(const protocol::Document &document) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  void restoreDraft(const QString &tab) override;
  bool isSettled() const override { return !pause_.isActive(); }

signals:
  /// Another script, or the same one under another name.
  void scriptChanged();
  /// What is wrong with the text, and what went wrong when it ran; nothing where all is well.
  void problemsChanged(const QList<protocol::Diagnostic> &problems);
  /// The file has the editor's text now.
  void saved(const QString &path);

private:
  void addCommands();
  void chooseFile();
  void chooseEntry();
  bool mayDrop();
  bool write(const QString &path);
  void textChanged();
  void check();
  void complete(int line, int column);
  void showCheck(const protocol::ScheduleCheck &check);
  void showProblems();
  void take(const QString &text, const QString &path);
  void keepDraft();
  void draftDone();
  bool mayOverwrite();

  ScriptEditor *editor_;
  ScriptEdit *edit_;
  QString path_;
  QByteArray disk_; ///< hash of the file that the text comes from; empty: there is none
  Draft draft_;
  bool isTaking_ = false;                  ///< another text is being opened
  bool isDrafting_ = false;                ///< drafts were asked for: one may wait until this text is done
  QString entry_;                          ///< as setEntry() takes it; empty: the engine finds it
  QHash<QString, QList<int>> breakpoints_; ///< of files that were open before
  QTimer pause_;                           ///< after the last key
  QString known_;                          ///< the text as the last change left it
  bool isChecked_ = true;                  ///< the engine was asked about this text
  QList<protocol::Diagnostic> problems_, runProblems_;
  QString verdict_;
};

} // namespace fuselage
