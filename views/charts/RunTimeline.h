// The phases of a run, one after the other, with their times.
#pragma once
#include "views/messages/RunTypes.h"
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <array>

namespace fuselage {

/// A part for each phase that has begun, as wide as it is long, with its name and time below. While the run goes on,
/// the last grows.
class RunTimeline : public QWidget {
  Q_OBJECT
public:
  explicit RunTimeline(QWidget *parent = nullptr);

  /// What the engine said last; time goes on from there.
  void follow(const protocol::RunProgress &progress);
  /// Of a run that is over.
  void setShares(const protocol::RunShares &shares);
  /// Stays as it is.
  void stop();
  /// Nothing has run.
  void clear();
  /// Milliseconds in a phase, as shown.
  double msOf(protocol::RunPhase phase) const;
  /// Those that are shown, in words: "read 0.4 s, compile 3.2 s, run 12 s"
  QString text() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

signals:
  /// Time has gone on.
  void ticked();

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  void refresh();
  QString label(int phase) const;
  QColor colour(int phase) const;

  std::array<double, message::runPhaseCount> ms_{};
  int current_ = -1; ///< that goes on; -1: none
  QElapsedTimer since_;
  QTimer timer_;
};

} // namespace fuselage
