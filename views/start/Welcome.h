// The page before anything is open: what was open before, samples, lessons, and what is new.
#pragma once
#include <QImage>
#include <QList>
#include <QScrollArea>

class QBoxLayout;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace fuselage {

class StartCard;

/// A file that was open, and how it was left.
struct RecentFile {
  QString path;
  QString view;   ///< "Diff of step 4"; empty: nothing is known
  QImage picture; ///< null: there is none
};

/// A module that comes with the program.
struct SampleFile {
  QString name; ///< "softmax"
  QString line; ///< what it shows
  QImage picture;
};

/// A lesson, and how far one is in it.
struct LessonFile {
  QString name;  ///< that opens it
  QString title; ///< "3. Elementwise fusion"
  QString line;
  QImage picture; ///< null: there is none
  bool isDone = false;
};

class Welcome : public QScrollArea {
  Q_OBJECT
public:
  /// Of the latest files; more would be a menu.
  static constexpr qsizetype recentShown = 5;
  /// The page is made when it is first shown; appeared() asks for what is on it.
  explicit Welcome(QWidget *parent = nullptr);
  /// The latest first; a few of them are offered.
  void setRecentFiles(const QList<RecentFile> &files);
  void setSamples(const QList<SampleFile> &samples);
  /// Also before the page is made.
  void setLessons(const QList<LessonFile> &lessons);
  /// Folders of the user's own lessons, and what is wrong with those: "lesson.md:3: 'x' is no whole number".
  void setLessonFolders(const QStringList &folders, const QStringList &problems);
  const QList<StartCard *> &lessonCards() const { return lessonCards_; }
  const QList<StartCard *> &sampleCards() const { return cards_; }
  QPushButton *addLessonsButton() const { return addLessons_; }
  /// What is said of the folders.
  QString lessonNotes() const;
  /// A few lines of Markdown.
  void setNews(const QString &markdown);

signals:
  /// For the first time: what takes time to make is wanted now.
  void appeared();
  void openRequested();
  void openFolderRequested();
  void recentRequested(const QString &path);
  void sampleRequested(const QString &name);
  void lessonRequested(const QString &name);
  void addLessonsRequested();
  void forgetLessonsRequested(const QString &folder);

protected:
  void resizeEvent(QResizeEvent *event) override;
  void showEvent(QShowEvent *event) override;

private:
  void build();
  QWidget *buildOpening();
  QWidget *buildLessons();
  void placeColumns();
  void showLessonFolders();

  QPushButton *open_ = nullptr; ///< null: nothing is built yet
  QPushButton *addLessons_ = nullptr;
  QLabel *recentTitle_, *samplesTitle_, *lessonsTitle_, *lessonNotes_, *newsTitle_, *news_;
  QBoxLayout *sides_;
  QWidget *opening_;
  QVBoxLayout *recent_, *lessons_;
  QGridLayout *samples_;
  QList<StartCard *> cards_, recentCards_, lessonCards_;
  QList<LessonFile> lessonFiles_;
  QStringList lessonFolders_, lessonProblems_;
  int columns_ = 0;
};

} // namespace fuselage
