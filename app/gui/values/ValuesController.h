// Values on edges: what crossed the selected edge, in Details and in the tool tips of the graph.
#pragma once
#include "app/gui/shell/Controller.h"
#include "core/protocol/methods/ValueMethods.h"
#include "views/common/SceneData.h"
#include "views/messages/ValueTypes.h"
#include <optional>

namespace fuselage {

class FusionController;
class GraphController;
class RunController;
class StepsController;
class TextController;
class ValueSection;

class ValuesController : public Controller {
  Q_OBJECT
public:
  ValuesController(Shell &shell, StepsController &steps, GraphController &graph, TextController &text,
                   FusionController &fusion, RunController &run);

  ValueSection &section() { return *section_; }
  /// Selects an edge that leaves an op, or the first of the graph, and computes its value.
  void showAfter(NodeId op);
  QAction *showAction() const { return show_; }
  QAction *findAction() const { return find_; }

  void opened(const protocol::Document &document) override;
  void stepsReplaced(int row) override;
  void graphShown(int snapshot) override;
  void sessionChanged() override;
  void engineDied(const CrashReport &report) override;
  bool isSettled() const override { return asked_ == 0 && searching_ == 0; }

private:
  /// An edge of a snapshot.
  struct EdgePlace {
    int snapshot = -1;
    EdgeUse use{};
    bool operator==(const EdgePlace &) const = default;
  };
  friend size_t qHash(const EdgePlace &place, size_t seed) { return qHash(place.use, seed) ^ size_t(place.snapshot); }

  void addCommands();
  void connectSection();
  std::optional<EdgePlace> placeOf(int line) const;
  std::optional<EdgePlace> selectedPlace() const;
  /// The card follows the selected edge.
  void follow();
  /// Computes it whatever it takes, or only what is clearly quick.
  enum class Effort { Any, Quick };
  void compute(Effort effort);
  void take(const EdgePlace &place, const protocol::EdgeValue &value);
  void takeError(const EdgePlace &place, const protocol::Error &error);
  void requestSlice(const QList<qint64> &index, qint64 row, qint64 column);
  protocol::Request<method::EdgeValue> requestOf(const EdgePlace &place) const;
  method::ValueArguments<protocol::QtTypes> arguments() const;
  void cancel();
  void forget();
  void save();
  void findNonFinite();
  void showFound(int snapshot, const protocol::NonFiniteValue &found);
  void selectFound();
  void selectLine(int line);
  void updateActions();
  QString toolTip(int line) const;

  StepsController &steps_;
  GraphController &graph_;
  TextController &text_;
  FusionController &fusion_;
  RunController &run_;
  ValueSection *section_;
  QAction *show_ = nullptr, *find_ = nullptr;
  std::optional<EdgePlace> place_; ///< that the section is about
  QHash<EdgePlace, protocol::EdgeValue> known_;
  Effort effort_ = Effort::Quick; ///< of what was asked for last
  quint64 asked_ = 0, searching_ = 0;
  std::optional<EdgePlace> found_; ///< to be selected as soon as the graph has a line of it
};

} // namespace fuselage
