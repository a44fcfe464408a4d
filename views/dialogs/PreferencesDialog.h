// Preferences: what there is to choose, the keys of all commands, and a search through both.
#pragma once
#include "views/dialogs/Preference.h"
#include "views/dialogs/ShortcutTable.h"
#include <QDialog>

class QLabel;
class QLineEdit;
class QTabWidget;

namespace fuselage {

/// A choice takes effect at once.
class PreferencesDialog : public QDialog {
  Q_OBJECT
public:
  explicit PreferencesDialog(const QList<Preference> &preferences, const QList<PreferencePage> &pages = {},
                             QWidget *parent = nullptr);

  ShortcutTable &shortcuts() { return *shortcuts_; }
  QLineEdit *searchEdit() const { return search_; }
  QTabWidget *tabs() const { return tabs_; }
  /// The control of a preference; null: there is none of that name.
  QWidget *editorOf(const QString &name) const;
  /// Brings a page to the front, by its title.
  void showPage(const QString &title);
  /// Shows what holds by now.
  void refresh();

private:
  struct Row {
    Preference preference;
    QWidget *line, *editor;
  };
  QWidget *makePage(const QList<Preference> &preferences);
  QWidget *makeEditor(const Preference &preference);
  void search(const QString &text);
  int firstPageWith(const QStringList &words) const;

  QLineEdit *search_;
  QTabWidget *tabs_;
  ShortcutTable *shortcuts_;
  QLabel *nothing_;
  QList<PreferencePage> pages_; ///< after the first two tabs
  QList<Row> rows_;
  QHash<QString, QWidget *> headings_; ///< of the sections
};

} // namespace fuselage
