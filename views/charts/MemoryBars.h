// Peak memory by memory space, before and after a step.
#pragma once
#include "views/messages/BufferTypes.h"
#include <QWidget>

namespace fuselage {

/// A group of two bars for each space; one where there is no step. Spaces have scales of their own: a
/// kernel's workgroup memory is nothing beside what lies in global memory.
class MemoryBars : public QWidget {
  Q_OBJECT
public:
  explicit MemoryBars(QWidget *parent = nullptr);
  void setPeaks(const protocol::BufferPeaks &after);
  /// Without it, `after` stands alone.
  void setBefore(const std::optional<protocol::BufferPeaks> &before);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
  void paintEvent(QPaintEvent *event) override;

private:
  QStringList spaces() const;
  int groupHeight() const;
  void refresh();
  protocol::BufferPeaks after_;
  std::optional<protocol::BufferPeaks> before_;
};

} // namespace fuselage
