// Why there are copies: the docks, and the pages on the reasons.
#include "app/gui/buffers/BuffersController.h"
#include "app/gui/graph/GraphScenes.h"
#include "app/gui/shell/MainWindow.h"
#include "app/gui/text/TextController.h"
#include "views/panels/BuffersPanel.h"
#include "views/panels/ReasonPanel.h"
#include <QDockWidget>

using namespace Qt::StringLiterals;

namespace fuselage {

void MainWindow::buildBuffers() {
  buffersPanel_ = new BuffersPanel(&buffers_);
  buffersPanel_->setObjectName("buffers"_L1);
  buffersDock_ = addDock(Qt::BottomDockWidgetArea, u"buffers"_s, tr("Buffers"), buffersPanel_, u"Alt+9"_s);
  tabifyDockWidget(runDock_, buffersDock_);
  buffersDock_->hide();
  copyReasons_ = new ReasonHelp(
      session_, u"buffers/help"_s,
      tr("Why is there a copy here? Each reason has a page: what it means, the smallest example, and what may help."), this);
  copyReasonDock_ = addDock(Qt::RightDockWidgetArea, u"copyReasons"_s, tr("Why Copied"), &copyReasons_->panel(), {});
  tabifyDockWidget(detailsDock_, copyReasonDock_);
  copyReasonDock_->hide();
  buffersController_ =
      new BuffersController(session_, {.graph = *graph_, .text = *text_, .panel = *buffersPanel_}, buffers_, this);
  connect(&stepModel_, &QAbstractItemModel::modelReset, buffersController_, &BuffersController::reset);
  connect(buffersDock_, &QDockWidget::visibilityChanged, buffersController_, &BuffersController::setVisible);
  connect(graphController_, &GraphController::shown, buffersController_, &BuffersController::graphShown);
  connect(buffersController_, &BuffersController::opSelected, this, [this](qint64 op) { textController_->select(op, true); });
  connect(buffersPanel_, &BuffersPanel::helpRequested, this, &MainWindow::explainCopy);
}

void MainWindow::showBuffersPanel() { raise(buffersDock_); }

void MainWindow::explainCopy(const QString &code) {
  raise(copyReasonDock_);
  copyReasons_->explain(code);
}

} // namespace fuselage
