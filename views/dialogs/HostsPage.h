// The list of hosts in the preferences.
#pragma once
#include <QList>
#include <QString>
#include <QWidget>
#include <functional>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace fuselage {

/// A machine that the user can run engines on.
struct HostChoice {
  QString name;
  QString command; ///< that reaches it: "ssh gpu1"
  bool operator==(const HostChoice &) const = default;
};

/// Names on the left, the selected one beside them. What the user types is a signal as soon as it is right.
class HostsPage : public QWidget {
  Q_OBJECT
public:
  /// Why a name and a command cannot be a host beside those names; empty: they can.
  using Check = std::function<QString(const QString &name, const QString &command, const QStringList &others)>;

  explicit HostsPage(QWidget *parent = nullptr);

  void setCheck(Check check) { check_ = std::move(check); }
  void setHosts(const QList<HostChoice> &hosts);
  /// What a test found, or why it failed.
  void showResult(const QString &text, bool isProblem);
  QString result() const;
  QListWidget *list() const { return list_; }
  QLineEdit *nameEdit() const { return name_; }
  QLineEdit *commandEdit() const { return command_; }
  QPushButton *addButton() const { return add_; }
  QPushButton *removeButton() const { return remove_; }
  QPushButton *testButton() const { return test_; }

signals:
  void hostsChosen(const QList<fuselage::HostChoice> &hosts);
  void testRequested(const QString &command);

private:
  void showHost();
  void take();
  void add();
  void remove();

  QListWidget *list_;
  QLineEdit *name_, *command_;
  QPushButton *add_, *remove_, *test_;
  QLabel *result_;
  QList<HostChoice> hosts_; ///< one that is not right yet among them
  Check check_;
};

} // namespace fuselage
