// Remarks of other compilers on the document: in Problems by pass and name, and as badges in the graph.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/messages/RemarkTypes.h"

namespace fuselage {

class GraphController;
class ProblemsController;
class StepsController;

class RemarksController : public Controller {
  Q_OBJECT
public:
  RemarksController(Shell &shell, StepsController &steps, GraphController &graph, ProblemsController &problems);

  void openRemarks(const QString &path);
  const protocol::Remarks &remarks() const { return remarks_; }

  void opened(const protocol::Document &document) override;
  void graphShown(int snapshot) override;
  /// YAML or bitstream of remarks at its beginning.
  bool takeFile(const QString &path) override;

private:
  void chooseFile();
  /// Asks where the remarks are in a snapshot.
  void place(int snapshot, bool isNew);
  void list();
  void mark();

  StepsController &steps_;
  GraphController &graph_;
  ProblemsController &problems_;
  QString path_;      ///< empty: there are none
  int snapshot_ = -1; ///< that remarks_ are placed in
  protocol::Remarks remarks_;
};

} // namespace fuselage
