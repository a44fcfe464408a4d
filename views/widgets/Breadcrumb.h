// Where one is in a tree, from the outside in: each part is a button.
#pragma once
#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace fuselage {

class Breadcrumb : public QWidget {
  Q_OBJECT
public:
  explicit Breadcrumb(QWidget *parent = nullptr);

  /// What the first part is called where it is told by voice.
  void setRootName(const QString &name) { rootName_ = name; }
  /// From the outermost part on; the last one is where one is. Empty: the bar is hidden.
  void setParts(const QStringList &parts);
  const QStringList &parts() const { return parts_; }

signals:
  void activated(int part);

private:
  QHBoxLayout *layout_;
  QStringList parts_;
  QString rootName_ = tr("The whole model");
};

} // namespace fuselage
