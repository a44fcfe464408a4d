// Fills the page before anything is open: recent files as they were left, samples, and news.
#pragma once
#include <QImage>
#include <QList>
#include <QString>

namespace fuselage {

class Settings;
class Welcome;
struct SampleFile;

class StartPage {
public:
  StartPage(Welcome &page, Settings &settings);
  void listRecentFiles();
  /// Names and captions; what a caption counts is what the window shows of the sample.
  static QList<SampleFile> samples();
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
