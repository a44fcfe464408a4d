// What to record: the pipeline editor, schedules, and the passes that there are.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Draft.h"
#include <functional>

class QDockWidget;

namespace fuselage {

class DocumentController;
class PipelinePanel;
class ProblemsController;
class StepsController;

class PipelineController : public Controller {
  Q_OBJECT
public:
  PipelineController(Shell &shell, DocumentController &documents, StepsController &steps, ProblemsController &problems);

  PipelinePanel &panel() { return *panel_; }
  QAction *editAction() const { return edit_; }
  /// Empty until it was asked for and has come.
  const protocol::Catalog &catalog() const { return catalog_; }
  void requestCatalog();
  /// Writes tile sizes into the pipeline in the editor, into the one that is recorded, or a new one: "8,16,0" for
  /// workgroups, where reductions stay whole, and for all loops.
  void useTileSizes(const QString &workgroups, const QString &all);

  /// Makes an empty tab in front, and returns the controller of its window.
  using MakeTab = std::function<PipelineController &()>;
  /// Other compilers then run in tabs of their own, so that the document stays.
  void setMakeTab(MakeTab make) { makeTab_ = std::move(make); }

  /// A schedule ran on the program: recording does not take it along.
  void setScheduleRan(bool ran);
  void recordSchedule(const QString &path);

  void opened(const protocol::Document &document) override;
  void sessionChanged() override;
  void restoreDraft(const QString &tab) override;

signals:
  void catalogArrived();
  /// The schedule that ran is to be recorded.
  void scheduleWanted();

private:
  void forgetCatalog();
  void keepDraft();
  void addCommands();
  void connectPanel();
  void followSession(EngineSession &session);
  void recordEdited();
  void chooseSchedule();
  void showOrigin();
  QString whatIsRecorded() const;
  void tellLeft(const protocol::Recording &recording);
  void tellCut(const QList<protocol::Diagnostic> &notes);
  void followTool(EngineSession &session);
  void requestTools();
  void requestTool(const QString &command);
  void runTool(const QString &path, const QString &command);
  void showTool(const protocol::ToolProgress &progress);
  /// Offers to lower a module that is in StableHLO, Torch, ...; false: it is not.
  bool offerAdvice();

  PipelinePanel *panel_;
  QDockWidget *dock_;
  MakeTab makeTab_;
  DocumentController &documents_;
  StepsController &steps_;
  ProblemsController &problems_;
  QAction *edit_ = nullptr, *loadSchedule_ = nullptr, *record_ = nullptr;
  protocol::Catalog catalog_;
  bool hasCatalog_ = false, hasTools_ = false;
  Draft draft_;
  QString typedTool_; ///< the command line that the user wrote; empty: none
  QString toolText_;  ///< of the banner that says what the tool is at
  bool scheduleRan_ = false;
  QString leftText_; ///< of the banner that says that the schedule was left
  QString cutText_;  ///< of the banner that says why the default pipeline was cut
};

} // namespace fuselage
