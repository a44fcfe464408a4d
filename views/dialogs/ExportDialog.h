// What of the graph is written, how, and where.
#pragma once
#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;

namespace fuselage {

struct ExportChoice {
  QString format = QStringLiteral("svg"); ///< "svg", "png", "pdf", "dot", "json" or "model-explorer.json"
  QString what =
      QStringLiteral("sight"); ///< "sight", "drawn" (all of the graph as it is on screen) or "all" (every box open)
  QString pages = QStringLiteral("one"); ///< "one", "a4" or "a3"
  QString theme = QStringLiteral("light");
  QString path;
  bool operator==(const ExportChoice &) const = default;
};

class ExportDialog : public QDialog {
  Q_OBJECT
public:
  explicit ExportDialog(QWidget *parent = nullptr);

  ExportChoice choice() const;
  void setChoice(const ExportChoice &choice);
  /// How large it will be: "6 pages"; may say why it cannot be written, then nothing is.
  void setSummary(const QString &text, bool canWrite = true);

signals:
  /// Ask how large that will be.
  void choiceChanged(const fuselage::ExportChoice &choice);
  void exportRequested(const fuselage::ExportChoice &choice);

private:
  QComboBox *addChoice(const QString &label, const QString &name, const QList<std::pair<QString, QString>> &items);
  void follow();
  void browse();
  bool isPicture() const;
  bool mayWrite();

  QComboBox *format_, *what_, *pages_, *theme_;
  QLineEdit *path_;
  QString replaced_; ///< a file that the user agreed to lose
  QLabel *summary_;
  QDialogButtonBox *buttons_;
};

} // namespace fuselage
