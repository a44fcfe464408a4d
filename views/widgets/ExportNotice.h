// Says in the status bar which file was written, and leads there.
#pragma once
#include <QWidget>

class QAction;
class QLabel;
class QTimer;

namespace fuselage {

/// Stays for a while, for as long as the pointer or the keyboard is in it, or until it is closed.
class ExportNotice : public QWidget {
  Q_OBJECT
public:
  explicit ExportNotice(QWidget *parent = nullptr);
  /// `note`: what else there is to say, such as ", 3 pages".
  void show(const QString &path, const QString &note);
  QString text() const;
  /// Of the last file; disabled before there is one.
  QAction *openFolder() const { return openFolder_; }
  QAction *copyPath() const { return copyPath_; }

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  void hideUnlessUsed();

  QString path_;
  QLabel *mark_, *text_;
  QAction *openFolder_, *copyPath_;
  QTimer *timer_;
};

} // namespace fuselage
