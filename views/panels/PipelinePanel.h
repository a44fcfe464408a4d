// Where a pipeline is chosen or typed, with completion of pass names.
#pragma once
#include "views/messages/DocumentTypes.h"
#include "views/messages/Requests.h"
#include <QPlainTextEdit>
#include <QWidget>

class QComboBox;
class QCompleter;
class QLabel;
class QLayout;
class QPushButton;
class QScrollArea;
class QStringListModel;

namespace fuselage {

class TargetBox;

/// An editor that offers pass names while one types.
class PipelineEdit : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit PipelineEdit(QWidget *parent = nullptr);
  void setPasses(const QList<protocol::Pass> &passes);
  QCompleter *completer() const { return completer_; }
  /// The text as it is recorded: in one line, blanks as one.
  QString oneLine() const;
  /// Underlines the word at a place of oneLine(); -1: nothing.
  void underline(int column);

signals:
  void submitted();

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  QString wordUnderCursor() const;
  void complete(const QString &pass);
  void offer(bool force);

  QCompleter *completer_;
  QStringListModel *names_;
};

class PipelinePanel : public QWidget {
  Q_OBJECT
public:
  explicit PipelinePanel(QWidget *parent = nullptr);

  void setCatalog(const protocol::Catalog &catalog);
  /// What Record would record.
  RecordRequest request() const;
  void setSchedule(const QString &path);
  void setEnabledToRecord(bool enabled);
  /// Beside the editor; where the diagnostics know a place of the pipeline, it is underlined there.
  void setError(const QString &message, const QList<protocol::Diagnostic> &diagnostics = {});
  QLabel *errorLabel() const { return error_; }
  /// Tile sizes in place of those of the tiling passes in a pipeline: of workgroups, and of all loops. Empty: it has
  /// none.
  static QString withTileSizes(const QString &pipeline, const QString &workgroups, const QString &all);
  void setPipeline(const QString &text);
  /// Where the steps on screen came from, if not from here; with a button that opens the log again.
  void setOrigin(const QString &text, bool canGoBack);
  PipelineEdit *edit() const { return edit_; }
  TargetBox *target() const { return target_; }
  QPushButton *recordButton() const { return record_; }
  /// What the field for another compiler offers; what stands in it stays.
  void setTools(const QList<protocol::Tool> &tools);
  void setEnabledToRunTool(bool enabled);
  /// While one runs, the button ends it.
  void setToolRunning(bool running);
  QComboBox *toolBox() const { return tool_; }
  QPushButton *toolButton() const { return runTool_; }

signals:
  /// A command line; the user has asked for it.
  void toolRequested(const QString &command);
  void toolStopRequested();
  void recordRequested(const fuselage::RecordRequest &request);
  void scheduleRequested();
  void originRequested();

private:
  void choosePreset(int index);
  QLayout *buildTool();
  void requestTool();
  QComboBox *preset_;
  TargetBox *target_;
  QLabel *origin_;
  QPushButton *back_;
  QLabel *description_;
  PipelineEdit *edit_;
  QPushButton *record_;
  QComboBox *tool_;
  QPushButton *runTool_;
  bool toolRuns_ = false;
  QLabel *error_;
  QScrollArea *errorArea_;
  QString schedule_;
};

} // namespace fuselage
