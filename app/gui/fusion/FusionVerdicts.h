// Missed fusions: the report on the snapshot on screen, its colours in the graph, and the selected edge.
#pragma once
#include "app/bridge/EngineSession.h"
#include "app/gui/fusion/FusionLines.h"
#include "views/models/FusionModel.h"
#include <QTimer>

namespace fuselage {

class FusionPanel;
class GraphScenes;
class GraphView;
class TextController;

class FusionVerdicts : public QObject {
  Q_OBJECT
public:
  struct Views {
    GraphView &graph;
    FusionPanel &panel;
    FusionModel &model;
    GraphScenes &graphs;
    TextController &texts;
  };
  FusionVerdicts(EngineSession &session, Views views, QObject *parent = nullptr);

  /// Verdicts are asked for while somebody can see them. Large modules are judged while the panel is open
  /// only.
  void setShown(bool inGraph, bool inPanel);
  /// Another snapshot is to be shown: its graph does not wait for verdicts on the one before.
  void leaveFor(int snapshot);
  /// Another scene is in the graph.
  void sceneShown();
  /// What was known is void: another document, another recording.
  void reset();
  /// The fastest kernel of a run tells what the memory can do, until it is measured.
  void setReport(const protocol::RunReport &report);
  /// Measures the memory of a device, and tells times by that.
  enum class Telling { Progress, Nothing };
  void measure(const QString &device, Telling telling = Telling::Progress);

  /// The selected edge, and no op that is not near it.
  void fuseSelected();
  /// The selected edge, and whatever the transforms that fuse it change in its function besides: its equals, too.
  void fuseSelectedEverywhere();
  /// What is known has changed, such as what was tried.
  void judgeAgain();
  /// Asks for the step that decided the selected edge, or `op`, and selects it there as soon as that is shown.
  void findDecision(NodeId op = noNode);
  void goToDecision();
  /// Runs one transform as a step, by its short name.
  void applyTransform(const QString &name);
  void fuseAll() { start({.what = FuseRequest::What::All}); }
  /// What is faster on a device, as measured there.
  void fuseFaster(const QString &device) { start({.what = FuseRequest::What::All, .device = device}); }
  void cleanUp() { start({.what = FuseRequest::What::CleanUp}); }
  /// The edge that is selected; null: none.
  const protocol::FusionEdge *selectedEdge() const;
  /// Edges that are the same as the selected one but for where they are, itself among them.
  qsizetype placesOfSelected() const { return views_.model.placesOf(selectedRow_).size(); }
  void selectRow(int row, bool revealInGraph);
  /// Unless something is selected; as soon as there is a report.
  void selectDearest();
  bool isSettled() const { return !loading_ && !rest_.isActive(); }
  /// "15 dispatches, 26 missed"; empty where nothing is known.
  QString shortSummary() const;

signals:
  /// The snapshot to show.
  void decisionFound(int snapshot, const QString &step);
  void decisionMissing(const QString &why);
  /// The line of an edge is in a box that is closed.
  void hiddenEdgeSelected(qint64 to);
  /// No line stands for it, however many boxes are open: what is selected in its place.
  void foldedEdgeSelected(const QString &where);
  void selectionChanged();
  /// A report is there, or gone.
  void reportChanged();

private:
  void request();
  void present(const protocol::FusionReport &report);
  void paintMarks();
  void countInside();
  FusionCounts legendCounts() const;
  void start(FuseRequest request);
  void fuseSelected(bool onlyThere);
  void edgePicked(int sceneEdge);
  void sayWhere();
  bool isFolded(NodeId op) const;
  NodeId visibleReaderOf(NodeId op) const;
  QString foldedText(const protocol::FusionEdge &edge) const;
  QString toolTip(int sceneEdge) const;
  bool wantsReport() const;
  /// Of the picture on screen.
  const FusionLines &lines() const;
  int dearest(std::span<const int> rows) const;
  QString bandwidthText() const;

  EngineSession &session_;
  Views views_;
  mutable FusionLines lines_; ///< made when somebody asks
  bool inGraph_ = true, inPanel_ = false;
  bool loading_ = false, wantsDearest_ = false;
  QTimer rest_;              ///< the scene on screen stays for a moment: its verdicts are asked for
  quint64 request_ = 0;      ///< that is waited for
  bool isLeft_ = false;      ///< it was cancelled by going on
  int asked_ = -1;           ///< snapshot that the report is of, or is asked for; -1: none
  bool askedProven_ = false; ///< and with the transforms that fuse each edge
  int selectedRow_ = -1;
  bool isRevealing_ = false;
  bool revealsLine_ = false;             ///< as soon as the selected row has one
  protocol::FusionDecision decision_;    ///< to be selected in its snapshot; that is -1: none
  QHash<NodeId, EdgeMark> missedInside_; ///< by collapsed box
  double gbps_ = 0;                      ///< measured; 0: not yet
  QString measuredOn_;                   ///< the device
  QString source_;                       ///< "measured on host", "by what was measured on host, 12 samples"
  bool isMeasured_ = false;              ///< by itself, and not as what a kernel reached
};

} // namespace fuselage
