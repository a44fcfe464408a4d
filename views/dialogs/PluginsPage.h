// The list of plugins in the preferences.
#pragma once
#include <QList>
#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace fuselage {

/// A row of the list.
struct PluginRow {
  QString file;
  bool isEnabled = true;
  bool isFixed = false;             ///< of the command line: it can neither be switched off nor removed here
  bool isLoaded = false;            ///< the engine has loaded it
  QString name{}, version{};        ///< as the plugin says
  QStringList passes{}, dialects{}; ///< that it has registered
  QString problem{};                ///< why the engine refused it
};

/// Shows rows; what the user does is a signal, and the rows change when setRows() is called.
class PluginsPage : public QWidget {
  Q_OBJECT
public:
  explicit PluginsPage(QWidget *parent = nullptr);

  void setRows(const QList<PluginRow> &rows);
  const QList<PluginRow> &rows() const { return rows_; }
  QTreeWidget *list() const { return list_; }
  QPushButton *addButton() const { return add_; }
  QPushButton *removeButton() const { return remove_; }
  /// What is said about the selected row.
  QString details() const;

signals:
  void addRequested();
  void removeRequested(const QString &file);
  void enabledChanged(const QString &file, bool isEnabled);

private:
  void showDetails();

  QTreeWidget *list_;
  QLabel *details_;
  QPushButton *add_, *remove_;
  QList<PluginRow> rows_;
};

} // namespace fuselage
