// The user's own text in the place of the IR: the file as it was opened, or the dump as it stands in its log.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/common/SceneData.h"
#include "views/common/TextSource.h"
#include "views/messages/DocumentTypes.h"
#include <QMap>
#include <functional>
#include <memory>

class QLabel;

namespace fuselage {

class TextController;
class TextView;

/// What is selected goes both ways, by locations: a line selects what comes from it in the step on screen.
class WrittenController : public Controller {
  Q_OBJECT
public:
  WrittenController(Shell &shell, TextController &text);

  TextView &view() { return *view_; }
  QAction *action() const { return toggle_; }
  /// What is noted at lines of the IR of the step on screen, to be marked at the rows that they come from.
  void setNoted(const QMap<int, QString> &lines);

  void documentReset() override;
  void stepShown(const ShownStep &step) override;
  void sessionChanged() override;
  void engineRecovered(int steps) override;
  void saveDocument(QJsonObject &state) const override;
  void restoreDocument(const QJsonObject &state) override;
  bool isSettled() const override { return asked_ == 0; }

protected:
  /// Esc in the text, once nothing is marked in it, leads back to the IR.
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void build();
  void connectViews();
  void setOn(bool on);
  void drop();
  void placeNotes();
  /// A call that isSettled() waits for.
  /// About the snapshot of the text.
  template <class Method, class Reply>
  void ask(protocol::Request<Method> request, std::function<void(const Reply &)> done, const QString &tag);
  void request();
  void take(const protocol::SourceLines &lines);
  void fetch(int first, int count);
  void selectLine(int line);
  void follow(bool isNew);
  void light(const protocol::SourceOps &ops, bool isLit, bool isScrolled);
  void showMenu(const QPoint &place);

  TextController &text_;
  QAction *toggle_;
  TextView *view_;
  QLabel *title_;
  std::unique_ptr<PagedTextSource> source_;
  int basis_ = -1; ///< the snapshot whose text it is
  int asked_ = 0;
  quint64 epoch_ = 0;
  QMap<int, QString> notedLines_, notedRows_; ///< of the IR; of this text
  quint64 noting_ = 0;                        ///< counts what is asked for them
  NodeId pointed_ = noNode;                   ///< at in this text, which need not move then
};

} // namespace fuselage
