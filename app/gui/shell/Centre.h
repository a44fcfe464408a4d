// The middle of the window: banner, tabs and the views that they show.
#pragma once
#include "app/bridge/EngineSession.h"
#include <QWidget>

class QSplitter;
class QStackedWidget;
class QTabBar;

namespace fuselage {

class Banner;
class StepChip;

enum class View { Graph, Text, Diff, Schedule };

/// Controllers hand in their views, which take their places in arrange().
class Centre : public QWidget {
  Q_OBJECT
public:
  explicit Centre(const EngineSession &session);
  void setView(View view, QWidget *widget) { views_[int(view)] = widget; }
  /// What stands here while nothing is open.
  void setWelcome(QWidget *widget) { welcome_ = widget; }
  /// A bar between tabs and views.
  void setBar(QWidget *widget) { bar_ = widget; }
  void arrange();

  Banner &banner() { return *banner_; }
  /// One of its own for files that changed on disk, so that a crash does not replace the question.
  Banner &fileBanner() { return *fileBanner_; }
  /// Gives the keyboard to the first button of a banner. False: there is none.
  bool focusBanner();
  /// Beside the tabs: what graph, text and diff show where that is no step of the list, and what they compare with.
  StepChip &placeChip() { return *placeChip_; }
  StepChip &baseChip() { return *baseChip_; }
  void showView(View view);
  QWidget *currentView() const;
  View shownView() const;
  /// The text stands below the graph, too.
  void setTextBelowGraph(bool below);
  /// The views, once there is something to see in them.
  void refresh();

signals:
  void tabChosen(fuselage::View view);
  void viewShown(fuselage::View view);

private:
  QWidget *widgetOf(View view) const { return views_[int(view)]; }
  const EngineSession &session_;
  Banner *banner_, *fileBanner_;
  StepChip *placeChip_, *baseChip_;
  QTabBar *tabs_;
  QSplitter *split_;
  QStackedWidget *stack_;
  QWidget *views_[4] = {};
  QWidget *welcome_ = nullptr, *bar_ = nullptr;
  bool textBelowGraph_ = false;
};

} // namespace fuselage
