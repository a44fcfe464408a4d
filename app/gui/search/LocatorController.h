// Go to anything: the popup, what is in it, and the way there and back.
#pragma once
#include "app/gui/navigation/NavigationController.h"
#include "app/gui/search/LocatorSources.h"
#include <QElapsedTimer>
#include <QTimer>

namespace fuselage {

class BuffersController;
class FusionController;
class HelpController;
class HistoryController;
class LocatorPopup;
class PipelineController;
class SearchController;

class LocatorController : public Controller {
  Q_OBJECT
public:
  /// Where it leads.
  struct Places {
    NavigationController &navigation;
    StepsController &steps;
    GraphController &graph;
    TextController &text;
    FusionController &fusion;
    BuffersController &buffers;
    PipelineController &pipeline;
    HelpController &help;
    SearchController &search;
    HistoryController &history;
  };
  LocatorController(Shell &shell, const Places &places);

  LocatorPopup &popup() { return *popup_; }
  /// Shows it with this typed in front.
  void open(const QString &typed = {});
  /// Everything that was found for what is typed is in the list.
  bool isComplete() const { return isComplete_; }

  void documentReset() override;
  void stepsReplaced(int row) override;
  void stepShown(const ShownStep &step) override;
  /// Names of the snapshot are got ready, as soon as nothing else is asked for.
  void graphShown(int snapshot) override;
  void saveState(Settings &settings) const override;
  void restoreState(const Settings &settings) override;

signals:
  /// isComplete() after what was typed `milliseconds` ago.
  void completed(qint64 milliseconds);

private:
  void collect();
  void requestHelp();
  void prepare();
  void search(const QString &typed);
  void ask(const LocatorQuery &query);
  void publish(bool isComplete, const QString &note);
  QList<LocatorEntry> atRest() const;
  QList<LocatorEntry> textEntries() const;
  QList<LocatorEntry> lineEntries() const;
  void preview(const LocatorEntry &entry);
  void accept(const LocatorEntry &entry);
  void goTo(const LocatorEntry &entry, bool stay);
  void goBack();
  void remember(const LocatorEntry &entry);

  Places places_;
  LocatorPopup *popup_;
  QAction *open_;
  QTimer previewTimer_, lateTimer_, prepareTimer_;
  std::optional<LocatorEntry> wanted_; ///< to be previewed
  QList<LocatorEntry> known_;          ///< by the window
  QList<LocatorEntry> help_;           ///< reasons and forms, asked for once
  QList<LocatorEntry> found_;          ///< by the engine
  QList<LocatorEntry> recent_;         ///< taken last, the last one first
  QStringList recentCommands_;         ///< of earlier starts, by their path and name
  LocatorQuery query_;
  QElapsedTimer sinceTyped_;
  bool isComplete_ = true, hasHelp_ = false, hasMoved_ = false;
  quint64 preparing_ = 0; ///< a request; 0: none is under way
  struct Start {
    Spot spot;
    View view;
    int row;
    QJsonObject looks; ///< of the graph
  };
  std::optional<Start> start_; ///< where one was
};

} // namespace fuselage
