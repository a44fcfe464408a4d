#include "views/widgets/ExportNotice.h"
#include "views/widgets/EmptyHint.h"
#include "views/widgets/Icons.h"
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QUrl>

using namespace Qt::StringLiterals;

namespace fuselage {

/// Long enough to read it and to go there.
static constexpr int shownMs = 20'000;

ExportNotice::ExportNotice(QWidget *parent)
    : QWidget(parent), mark_(new QLabel(this)), text_(new QLabel(this)),
      openFolder_(new QAction(tr("Open &Folder of Last Export"), this)),
      copyPath_(new QAction(tr("Copy Pat&h of Last Export"), this)), timer_(new QTimer(this)) {
  openFolder_->setIconText(tr("Open Folder"));
  copyPath_->setIconText(tr("Copy Path"));
  auto *layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 8, 0);
  layout->setSpacing(4);
  layout->addWidget(mark_);
  layout->addWidget(text_);
  for (QAction *action : {openFolder_, copyPath_}) {
    action->setEnabled(false);
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    layout->addWidget(button);
  }
  auto *close = new QToolButton(this);
  close->setIcon(lineIcon(u"close"_s));
  close->setIconSize(QSize(12, 12));
  close->setAutoRaise(true);
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss the confirmation"));
  layout->addWidget(close);
  timer_->setInterval(shownMs);
  hide();
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  connect(timer_, &QTimer::timeout, this, &ExportNotice::hideUnlessUsed);
  connect(openFolder_, &QAction::triggered, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path_).absolutePath())); });
  connect(copyPath_, &QAction::triggered, this, [this] {
    QApplication::clipboard()->setText(path_);
    text_->setText(tr("Path copied"));
  });
}

void ExportNotice::show(const QString &path, const QString &note) {
  const QFileInfo file(path);
  path_ = file.absoluteFilePath();
  text_->setText(tr("Exported %1").arg(file.fileName()) + note);
  text_->setToolTip(QDir::toNativeSeparators(path_));
  setAccessibleName(text_->text());
  copyPath_->setEnabled(true);
  openFolder_->setEnabled(file.absoluteDir().exists()); // it may be on the machine of the engine
  openFolder_->setToolTip(openFolder_->isEnabled() ? file.absolutePath()
                                                   : tr("The file is on the machine of the engine"));
  mark_->setPixmap(lineIcon(u"check"_s, signalColours(palette()).good).pixmap(QSize(14, 14), devicePixelRatioF()));
  timer_->start();
  QWidget::show();
}

QString ExportNotice::text() const { return text_->text(); }

void ExportNotice::hideUnlessUsed() {
  if (!underMouse() && !isAncestorOf(QApplication::focusWidget()))
    hide();
}

void ExportNotice::keyPressEvent(QKeyEvent *event) {
  if (event->key() == Qt::Key_Escape)
    return hide();
  QWidget::keyPressEvent(event);
}

} // namespace fuselage
