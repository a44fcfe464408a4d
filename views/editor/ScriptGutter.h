// The margin of the script editor: breakpoints, problems, known forms, line numbers.
#pragma once
#include <QWidget>

namespace fuselage {

class ScriptEdit;

class ScriptGutter : public QWidget {
  Q_OBJECT
public:
  explicit ScriptGutter(ScriptEdit *edit);
  int wantedWidth() const;
  /// Where a click sets the line's breakpoint.
  QPoint breakpointPlace(int line) const;

protected:
  void paintEvent(QPaintEvent *event) override;
  void mousePressEvent(QMouseEvent *event) override;
  void contextMenuEvent(QContextMenuEvent *event) override;

private:
  int marksWidth() const;
  int formsWidth() const;
  int lineAt(int y) const;
  void paintMarks(QPainter &painter, int line, const QRect &place);

  ScriptEdit *edit_;
};

} // namespace fuselage
