// Where the engine of a tab runs: here, or on a host of the user's list; and the state of the link to it.
#pragma once
#include "app/gui/shell/Controller.h"
#include "app/gui/shell/Sides.h"
#include "views/dialogs/HostsPage.h"
#include "views/messages/LinkTypes.h"
#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

class QActionGroup;
class QLabel;
class QMenu;
class QProgressDialog;

namespace fuselage {

class GraphController;
class PreferencesController;
class RemoteAction;
class StepPrefetch;
class StepsController;
class TextController;

class HostsController : public Controller {
  Q_OBJECT
public:
  HostsController(Shell &shell, PreferencesController &preferences, StepsController &steps, GraphController &graph,
                  TextController &text);

  /// Runs the document of this tab there, with its steps; empty: on this computer.
  void runOn(const QString &host);
  const protocol::LinkState &link() const { return link_; }
  QMenu *menu() const { return menu_; }
  HostsPage *page() const { return page_; }
  QLabel *label() const { return label_; }
  /// Copies the engine to the host of this tab, and starts it there.
  void install();
  /// While the engine is copied; else null.
  RemoteAction *copy() const;

  void sessionChanged() override;
  void engineRecovered(int steps) override;
  void stepShown(const ShownStep &step) override;
  void saveDocument(QJsonObject &state) const override;

private:
  void fillMenu();
  void followPlace();
  void lookAhead(GraphController &graph, TextController &text);
  QWidget *makePage(QWidget *parent);
  void test(const QString &command);
  void takeLink(const protocol::LinkState &link);
  void showLink();
  void showBanner(const QString &text);
  void hideBanner();
  void showRefusal();
  void offerInstall();
  void installed(const QJsonObject &answer, const QString &problem);
  qint64 downSeconds() const;

  PreferencesController &preferences_;
  StepsController &steps_;
  StepPrefetch *prefetch_;
  QMenu *menu_;
  QActionGroup *choices_;
  QLabel *label_;
  QPointer<HostsPage> page_;
  QPointer<RemoteAction> copy_, test_;
  QPointer<QProgressDialog> progress_;
  protocol::LinkState link_;
  QElapsedTimer sinceLink_; ///< since link_ came
  QTimer tick_;             ///< while the link is down
  QString bannerText_;
  int row_ = -1;             ///< of the step on screen
  Sides sides_;              ///< of the same
  bool isForth_ = true;      ///< where the last step led
  bool isInstalled_ = false; ///< just now: that there was no engine is no news any more
};

} // namespace fuselage
