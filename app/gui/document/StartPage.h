// Fills the page before anything is open: recent files as they were left, samples, and news.
#pragma once
#include <QImage>
#include <QString>

namespace fuselage {

class Settings;
class Welcome;

class StartPage {
public:
  StartPage(Welcome &page, Settings &settings);
  void listRecentFiles();
  /// A copy of a sample that the user may change; empty: it could not be written.
  QString copyOf(const QString &sample) const;
  /// How a document looks when it is left.
  void keepPicture(const QString &path, const QImage &picture) const;

private:
  QString pictureOf(const QString &path) const;

  Welcome &page_;
  Settings &settings_;
  bool hasAppeared_ = false;
};

} // namespace fuselage
