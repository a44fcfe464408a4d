// Help on the reasons: an index with a search, and the page.
#pragma once
#include "views/models/ReasonModel.h"
#include <QWidget>

class QLineEdit;
class QListView;
class QTextBrowser;

namespace fuselage {

class ReasonPanel : public QWidget {
  Q_OBJECT
public:
  explicit ReasonPanel(ReasonModel *model, QWidget *parent = nullptr);
  /// Shows a reason's page, as soon as the pages are there; empty: the index.
  void showReason(const QString &code);
  /// The module of a page's example; empty: it has none.
  static QString exampleOf(const QString &page);
  QTextBrowser *page() const { return page_; }
  QListView *index() const { return index_; }
  QLineEdit *searchEdit() const { return search_; }

signals:
  /// The example of the page is to be opened.
  void exampleRequested(const QString &code, const QString &text);

protected:
  void changeEvent(QEvent *event) override;

private:
  void show(const QString &code);
  ReasonModel *model_;
  QLineEdit *search_;
  QListView *index_;
  QTextBrowser *page_;
  QString code_;
};

} // namespace fuselage
