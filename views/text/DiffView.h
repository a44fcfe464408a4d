// Side-by-side diff of two texts, with unchanged runs folded away.
#pragma once
#include "views/common/DiffData.h"
#include "views/common/TextSource.h"
#include "views/text/DiffSide.h"
#include <QWidget>
#include <memory>

namespace fuselage {

class ChangeStrip;
class DiffCanvas;

/// Keys: n and p go to the next and previous change, arrows, Page, Home, End scroll, Ctrl+C copies
/// the selected lines of the side that was clicked last, Return or click on a fold opens it,
/// E opens or closes all folds. Long attributes are folded on both sides where no word in them differs: a click on the
/// ellipsis opens them and one on a bracket closes them, Return does so with all of the line. The bar between the sides
/// can be dragged.
class DiffView : public QWidget {
  Q_OBJECT
public:
  explicit DiffView(QWidget *parent = nullptr);
  ~DiffView() override;

  /// Sources are not owned and may deliver later; nullptr both: the empty state. Opens at the first
  /// change.
  void setDiff(const DiffData &diff, TextSource *before, TextSource *after);
  void clear();
  const DiffData &diff() const;
  void setTitles(const QString &before, const QString &after); ///< "before", "after" by default
  void setEmptyText(const QString &title, const QString &hint);

  /// Lines that are too long go on in the next row.
  void setWrapping(bool wraps);
  bool wraps() const;
  /// Long attributes are shown as an ellipsis.
  void setFolding(bool folds);
  bool folds() const;
  /// One column: what was there above what is there now.
  void setUnified(bool unified);
  bool isUnified() const;
  /// Unchanged lines kept around a change (3).
  void setContextLines(int lines);
  bool areFoldsOpen() const;
  /// Marks the lines of an op on one side; first -1: none.
  void highlightLines(fuselage::DiffSide side, int first, int last);
  /// Opens the fold the line is in, if any, and scrolls there.
  void scrollToLine(fuselage::DiffSide side, int line);

  /// Highlights them; how many there are to step through: what stands on both sides of an unchanged line counts once.
  int setMatches(const QList<DiffMatch> &matches);
  /// By its place in the diff, from the top: opens the fold that it is in, and scrolls there; -1: none.
  void setCurrentMatch(int index);

  int changeCount() const;   ///< runs of rows that are not Same
  int currentChange() const; ///< -1: none
  double zoom() const;
  void setZoom(double zoom);
  QString selectedText() const;

  QSize sizeHint() const override { return {900, 480}; }

public slots:
  void nextChange();
  void previousChange();
  void setFoldsOpen(bool open);
  void copy();

signals:
  /// Click on a line, or the caret moved there by keys.
  void lineClicked(fuselage::DiffSide side, int line);
  void currentChangeChanged(int index, int count);
  void foldsOpenChanged(bool open);
  void zoomChanged(double zoom);
  /// Another diff is shown; matches of the last one are forgotten.
  void diffShown();

protected:
  void changeEvent(QEvent *event) override;

private:
  DiffCanvas *canvas_ = nullptr;
  ChangeStrip *strip_ = nullptr;
};

} // namespace fuselage
