// What stands in the middle of the window before anything is open.
#pragma once
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace fuselage {

class Welcome : public QWidget {
  Q_OBJECT
public:
  explicit Welcome(QWidget *parent = nullptr);
  /// The latest first; a few of them are offered.
  void setRecentFiles(const QStringList &paths);

signals:
  void openRequested();
  void openFolderRequested();
  void recentRequested(const QString &path);

private:
  QPushButton *open_;
  QWidget *recent_;
  QVBoxLayout *links_;
};

} // namespace fuselage
