// Keeps the graph view showing the right snapshot, at the right level, with the right colours.
#pragma once
#include "app/bridge/EngineSession.h"
#include "app/gui/replies/ViewData.h"
#include "app/gui/shell/Sides.h"
#include "core/protocol/methods/GraphMethods.h"
#include <QJsonObject>
#include <QSet>
#include <QTimer>
#include <functional>
#include <optional>

namespace fuselage {

class GraphView;
struct SceneReply;

/// How the graph is drawn, as graph/scene takes it.
struct GraphOptions {
  bool dispatches = false; ///< level: every dispatch collapsed
  bool dot = false;        ///< layout by Graphviz
  bool foldConstants = true;
  enum class Repeats { Auto, Collapse, Expand } repeats = Repeats::Auto; ///< equal layers and their like
};

class GraphScenes : public QObject {
  Q_OBJECT
public:
  /// Of two that ask for scenes at a time, each has a tag of its own.
  GraphScenes(EngineSession &session, GraphView &view, QObject *parent = nullptr,
              const QString &tag = QStringLiteral("scene"));

  /// Shows a snapshot, and what the step changed that led there, or, of the snapshot before the step, what it will
  /// change; nodes that the view knows from the snapshot on the other side of a step glide to their place.
  void show(int snapshot, Sides step);
  /// Of a document that is being opened: asks for its graph, as show() will ask for it, in the same breath. show() then
  /// takes that answer, unless the user draws it otherwise by then.
  void askAhead();
  int snapshot() const { return snapshot_; }
  /// Whose scene is in the view; -1: none.
  int shownSnapshot() const { return shownAs_.snapshot; }
  const GraphOptions &options() const { return options_; }
  void setOptions(const GraphOptions &options);
  /// Options and open boxes of another, as far as they are there in this one's snapshot.
  void drawAs(const GraphScenes &other);
  /// Collapses or expands a cluster.
  void toggleCluster(NodeId id, bool collapse);
  /// Opens clusters, outer before inner, whether they are in the picture yet or not. False: they all were open.
  bool expand(const QList<NodeId> &ids);
  /// What was opened and closed by hand, to be remembered, and the same back; what is not there any more is left out.
  QJsonObject toggledBoxes() const;
  void toggleBoxes(const QJsonObject &boxes);
  /// Draws the weights and constants of an op as nodes, or as notches again.
  void showPorts(NodeId op, bool show);
  bool showsPorts(NodeId op) const { return toggled_.snapshot == snapshot_ && toggled_.portsOf.contains(op); }
  /// Another document: nothing of the old one is kept.
  void reset();
  /// Another recording: snapshot 0 stays.
  void dropSteps();
  /// Asks again, after a restart of the engine.
  void refresh();
  /// Tints dispatches by times. There may be several sources of them, such as the last run; those that were set last
  /// are shown. `title`: what they are, for the legend. A report without kernels takes those of the source away.
  void setReport(const QObject *source, const protocol::RunReport &report, const QString &title = tr("median time"));
  /// The same times, where they belong now; the times that are shown stay shown.
  void updateReport(const QObject *source, const protocol::RunReport &report);
  /// Times of another program are not shown.
  void setReportStale(const QObject *source, bool stale);
  void setHeatVisible(bool visible);
  /// Tints boxes by these numbers in place of times; nullopt: by times again.
  void setNumbers(const std::optional<HeatData> &numbers);
  /// What adds the values of collapsed boxes to those of dispatches.
  void setBoxes(std::function<void(HeatData &)> boxes) { boxes_ = std::move(boxes); }
  /// The number of a kernel's dispatch in the scene on screen; dispatches are known again by where
  /// their root op comes from, since each snapshot numbers them anew. -1: not there.
  int dispatchOf(const protocol::Kernel &kernel) const;
  bool isSettled() const { return !loading_; }
  /// Asks the engine to leave off drawing.
  void cancel();
  /// What is marked in the scene on screen; ops in closed boxes too.
  const QHash<NodeId, Change> &marked() const { return marked_; }
  /// What an op of one side of the step on screen is on the other; noNode: there is none.
  NodeId partnerOf(NodeId id) const;
  /// What an op of the snapshot before a step is after it, or the other way round; noNode: there is none, or it is not
  /// known yet.
  NodeId across(Sides step, NodeId id, bool isForth) const;
  /// What is on screen.
  method::SceneChoice<protocol::QtTypes> drawn() const;
  /// What to call an op that was in the view once; "op 7" where it never was.
  QString nameOf(int snapshot, NodeId id) const;
  /// The same, but empty where it never was.
  QString knownName(int snapshot, NodeId id) const { return names_.value(snapshot).value(id); }

signals:
  /// A scene is in the view.
  void shown(int snapshot);
  /// What the step changed has come after its scene, and is marked now.
  void changesKnown();
  /// What the next step changes has come, before it is shown.
  void nextKnown();
  void failed(const fuselage::protocol::Error &error);
  void cancelled();
  /// Ops that the step removed.
  void removedOps(fuselage::Sides step, const QStringList &names);
  void loadingChanged(bool loading);
  /// Options, or what is open, are others by the user's hand.
  void drawnOtherwise();

private:
  void request();
  quint64 ask(const protocol::Request<method::GraphScene> &question, Sides step);
  void adoptIds();
  void requestChanges(Sides step);
  void present(const SceneReply &reply, Sides step);
  void markChanges();
  void listRemoved(Sides step);
  void nameRemoved(Sides step);
  QHash<NodeId, NodeId> originsFor(int from, int to) const;
  void applyHeat();
  void setLoading(bool loading);
  void prepareNext();

  EngineSession &session_;
  GraphView &view_;
  QString tag_;
  bool isBeside_; ///< beside another graph, whose document is not being opened
  GraphOptions options_;
  int snapshot_ = 0;
  Sides step_;      ///< that led to snapshot_
  Sides shownStep_; ///< that led to the scene in the view
  bool loading_ = false;
  QTimer rest_;       ///< the scene on screen stays for a moment: the next one is prepared
  QSet<int> drawn_;   ///< snapshots that the engine has drawn before
  quint64 asked_ = 0; ///< the request that the view waits for
  /// A request that nobody waits for yet.
  struct Ahead {
    quint64 id = 0;
    QJsonObject question;
  };
  std::optional<Ahead> ahead_;
  bool heatVisible_ = true;
  std::optional<HeatData> numbers_;
  std::function<void(HeatData &)> boxes_;
  struct Times {
    const QObject *source;
    protocol::RunReport report;
    QString title;
    bool isStale = false;
  };
  QList<Times> times_; ///< those that are shown are the last
  /// What was toggled by hand: boxes with the ids that they have in this snapshot.
  struct Toggled {
    int snapshot = 0;
    QSet<NodeId> collapsed, expanded;
    QSet<NodeId> portsOf{}; ///< ops, which no other snapshot knows by these ids
  };
  Toggled toggled_;
  Toggled shownAs_{.snapshot = -1,
                   .collapsed = {},
                   .expanded = {}};    ///< the same in the snapshot on screen, as far as they are there
  QHash<Sides, GraphChanges> changes_; ///< by step
  QHash<NodeId, Change> marked_;
  QHash<int, QHash<NodeId, QString>> names_;
};

} // namespace fuselage
