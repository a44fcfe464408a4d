// Plugins of MLIR: the user's list, what the engine says of them, and which one it died of.
#pragma once
#include "app/gui/shell/Controller.h"
#include "views/dialogs/PluginsPage.h"
#include "views/messages/PluginTypes.h"
#include <QPointer>

namespace fuselage {

class PreferencesController;

/// The list is the user's own: it is kept in the settings, and nothing that is opened adds to it.
class PluginsController : public Controller {
  Q_OBJECT
public:
  PluginsController(Shell &shell, PreferencesController &preferences);

  /// What the engine has loaded, or refused to load.
  const QList<protocol::Plugin> &loaded() const { return loaded_; }
  /// The page in the preferences; null until they were opened.
  PluginsPage *page() const { return page_; }
  /// Adds a file to the list, or switches it on.
  void add(const QString &file);
  /// The plugin that an engine died in, as far as the step's pass and the stack say; null: in none.
  const protocol::Plugin *blamed(const CrashReport &report) const;
  /// Switches off a plugin of the list; false: it is not in it.
  bool disable(const QString &file);
  bool isInList(const QString &file) const;
  /// Starts the engine without any, until the list changes or the program ends.
  void startWithout();
  /// The preferences, at this page.
  void showPage();

private:
  QWidget *makePage(QWidget *parent);
  void setEnabled(const QString &file, bool isEnabled);
  void remove(const QString &file);
  void follow();
  void ask();
  void take(const protocol::Plugins &plugins);
  QStringList switchOff(const QList<protocol::Plugin> &refused);
  void tellRefused(const QList<protocol::Plugin> &refused);
  bool isOfStart(const QString &file) const;
  void showRows();

  PreferencesController &preferences_;
  QPointer<PluginsPage> page_;
  QList<protocol::Plugin> loaded_;
};

} // namespace fuselage
