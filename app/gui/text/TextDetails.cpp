// What Details shows of the selection.
#include "app/gui/text/TextController.h"
#include "core/protocol/methods/OpMethods.h"
#include "views/panels/DetailsPanel.h"
#include "views/text/DiffView.h"
#include "views/text/TextView.h"
#include <QDockWidget>

using namespace Qt::StringLiterals;

namespace fuselage {

void TextController::requestDetails(NodeId id) {
  selected_ = id;
  selectedLine_ = -1;
  emit selectionChanged(snapshot_, id);
  if (id == noNode) {
    details_.clear();
    text_->highlightLines(-1, -1);
    diff_->highlightLines(DiffSide::After, -1, -1);
    loadingDetails_ = false;
    return;
  }
  loadingDetails_ = true;
  session().client().call<method::OpDetails>(
      {.snapshot = snapshot_, .id = id}, this,
      [this, snapshot = snapshot_, id](const protocol::OpDetails &details) {
        loadingDetails_ = false;
        panel_->setWaiting(false);
        if (snapshot != snapshot_ || id != selected_)
          return;
        details_.setDetails(details);
        selectedLine_ = details.first;
        text_->highlightLines(details.first, details.last);
        diff_->highlightLines(DiffSide::After, details.first, details.last);
        // The text stays where the user has just clicked.
        if (!selectionFromText_ && details.first >= 0) {
          text_->scrollToLine(details.first, true);
          text_->setCurrentLine(details.first);
        }
        emit placeShown();
      },
      [this, id](const protocol::Error &error) {
        loadingDetails_ = false;
        panel_->setWaiting(false);
        // Another request took its place, or there is nothing to say: not what was selected before.
        if (id == selected_ && error.code != protocol::Error::Cancelled)
          details_.clear();
      },
      u"details"_s);
  // Details of something else would be taken for those of the selection.
  constexpr int patienceMs = 400;
  QTimer::singleShot(patienceMs, this, [this, id] {
    if (!loadingDetails_ || id != selected_)
      return;
    details_.clear();
    panel_->setWaiting(true);
  });
}

/// The panel is there while it has something to show; a moment without anything, as between two steps, does not count.
void TextController::connectDetails() {
  constexpr int momentMs = 1000;
  detailsRest_.setSingleShot(true);
  detailsRest_.setInterval(momentMs);
  const auto setEmpty = [this](bool isEmpty) { shell().docks().setEmpty(shell().docks().find(u"details"_s), isEmpty); };
  connect(&detailsRest_, &QTimer::timeout, this, [setEmpty] { setEmpty(true); });
  connect(panel_, &DetailsPanel::emptied, &detailsRest_, qOverload<>(&QTimer::start));
  connect(panel_, &DetailsPanel::filled, this, [this, setEmpty] {
    detailsRest_.stop();
    setEmpty(false);
  });
}

} // namespace fuselage
