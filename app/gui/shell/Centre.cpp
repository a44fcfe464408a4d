#include "app/gui/shell/Centre.h"
#include "views/widgets/Banner.h"
#include "views/widgets/Icons.h"
#include "views/widgets/StepChip.h"
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace fuselage {

Centre::Centre(const EngineSession &session)
    : session_(session), banner_(new Banner), fileBanner_(new Banner), placeChip_(new StepChip),
      baseChip_(new StepChip), tabs_(new QTabBar), split_(new QSplitter(Qt::Vertical)), stack_(new QStackedWidget) {
  banner_->setObjectName("banner"_L1);
  fileBanner_->setObjectName("fileBanner"_L1);
  tabs_->setObjectName("views"_L1);
  tabs_->setDrawBase(false);
  tabs_->setExpanding(false);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Views"));
  tabs_->addTab(lineIcon(u"graph"_s), tr("Graph"));
  tabs_->addTab(lineIcon(u"text"_s), tr("IR"));
  tabs_->addTab(lineIcon(u"diff"_s), tr("Diff"));
  tabs_->addTab(lineIcon(u"steps"_s), tr("Schedule"));
  split_->setObjectName("split"_L1);
  split_->setChildrenCollapsible(false);
  for (StepChip *chip : {placeChip_, baseChip_})
    connect(chip, &StepChip::clicked, this, [this] { currentView()->setFocus(); });
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { emit tabChosen(View(tab)); });
}

void Centre::arrange() {
  split_->addWidget(widgetOf(View::Graph));
  split_->addWidget(widgetOf(View::Text));
  split_->setStretchFactor(0, 5);
  split_->setStretchFactor(1, 2);
  split_->setSizes({560, 220});
  stack_->addWidget(split_);
  stack_->addWidget(widgetOf(View::Diff));
  stack_->addWidget(widgetOf(View::Schedule));
  stack_->addWidget(welcome_);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(fileBanner_);
  layout->addWidget(banner_);
  auto *top = new QHBoxLayout;
  top->setContentsMargins(0, 0, 8, 0);
  top->setSpacing(6);
  top->addWidget(tabs_);
  top->addStretch(1);
  top->addWidget(placeChip_);
  top->addWidget(baseChip_);
  layout->addLayout(top);
  layout->addWidget(bar_);
  layout->addWidget(stack_, 1);
}

bool Centre::focusBanner() {
  for (Banner *banner : {fileBanner_, banner_})
    if (banner->isVisible() && banner->focusFirstButton())
      return true;
  return false;
}

void Centre::showView(View view) {
  const QSignalBlocker blocker(tabs_);
  tabs_->setCurrentIndex(int(view));
  refresh();
  widgetOf(View::Graph)->setVisible(view == View::Graph);
  widgetOf(View::Text)->setVisible(view == View::Text || (view == View::Graph && textBelowGraph_));
  emit viewShown(view);
}

void Centre::refresh() {
  const View view = View(tabs_->currentIndex());
  // A script can be written before a module is open.
  const bool isEmpty =
      !session_.hasDocument() && session_.state() != EngineSession::State::Opening && view != View::Schedule;
  const bool isAlone = view == View::Diff || view == View::Schedule;
  const bool isFirst = !isEmpty && stack_->currentWidget() == welcome_;
  tabs_->setVisible(!isEmpty);
  stack_->setCurrentWidget(isEmpty ? welcome_ : isAlone ? widgetOf(view) : split_);
  if (isFirst)
    currentView()->setFocus();
}

QWidget *Centre::currentView() const {
  return stack_->currentWidget() == welcome_ ? welcome_ : widgetOf(View(tabs_->currentIndex()));
}

View Centre::shownView() const { return View(tabs_->currentIndex()); }

void Centre::setTextBelowGraph(bool below) {
  textBelowGraph_ = below;
  if (widgetOf(View::Graph)->isVisibleTo(window()))
    widgetOf(View::Text)->setVisible(below);
}

} // namespace fuselage
