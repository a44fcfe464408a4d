#include "app/gui/plugins/PluginsController.h"
#include "app/gui/preferences/PreferencesController.h"
#include "app/gui/shell/Settings.h"
#include "core/protocol/methods/DocumentMethods.h"
#include "views/widgets/Banner.h"
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace fuselage {

/// The engine follows links.
static bool isSameFile(const QString &file, const QString &other) {
  const QString canonical = QFileInfo(file).canonicalFilePath();
  return file == other || (!canonical.isEmpty() && canonical == QFileInfo(other).canonicalFilePath());
}

PluginsController::PluginsController(Shell &shell, PreferencesController &preferences)
    : Controller(shell), preferences_(preferences) {
  shell.addPreferencePage({.title = tr("Plugins"),
                           .words = tr("passes dialects shared objects mlir-opt"),
                           .make = [this](QWidget *parent) { return makePage(parent); }});
  connect(&session(), &EngineSession::initialized, this, &PluginsController::ask);
  connect(&settings(), &Settings::pluginsChanged, this, &PluginsController::follow);
}

QWidget *PluginsController::makePage(QWidget *parent) {
  page_ = new PluginsPage(parent);
  connect(page_, &PluginsPage::addRequested, this, [this] {
    const QString file = QFileDialog::getOpenFileName(page_, tr("Add Plugin"), {},
                                                      tr("Shared objects (*.so *.so.* *.dylib);;All files (*)"));
    if (!file.isEmpty())
      add(file);
  });
  connect(page_, &PluginsPage::removeRequested, this, &PluginsController::remove);
  connect(page_, &PluginsPage::enabledChanged, this, &PluginsController::setEnabled);
  showRows();
  return page_;
}

void PluginsController::add(const QString &file) {
  if (isInList(file))
    return setEnabled(file, true);
  settings().setPlugins(settings().plugins() + QList<PluginChoice>{{file, true}});
}

void PluginsController::setEnabled(const QString &file, bool isEnabled) {
  QList<PluginChoice> list = settings().plugins();
  for (PluginChoice &choice : list)
    if (isSameFile(choice.file, file))
      choice.isEnabled = isEnabled;
  settings().setPlugins(list);
}

void PluginsController::remove(const QString &file) {
  QList<PluginChoice> list = settings().plugins();
  list.removeIf([&](const PluginChoice &choice) { return isSameFile(choice.file, file); });
  settings().setPlugins(list);
}

bool PluginsController::isInList(const QString &file) const {
  const QList<PluginChoice> list = settings().plugins();
  return std::any_of(list.begin(), list.end(),
                     [&](const PluginChoice &choice) { return isSameFile(choice.file, file); });
}

bool PluginsController::disable(const QString &file) {
  if (!isInList(file))
    return false;
  setEnabled(file, false);
  return true;
}

/// The list is another one: in this tab, or in the preferences of another.
void PluginsController::follow() {
  const QStringList wanted = settings().pluginArguments();
  if (wanted != session().arguments()) {
    session().setArguments(wanted);
    if (session().state() != EngineSession::State::Stopped)
      session().start();
  }
  showRows();
}

void PluginsController::startWithout() {
  session().setArguments({});
  session().start();
}

void PluginsController::showPage() { preferences_.open(tr("Plugins")); }

void PluginsController::ask() {
  loaded_.clear();
  if (!session().arguments().isEmpty())
    session().client().call<method::ListPlugins>(
        {}, this, [this](const protocol::Plugins &plugins) { take(plugins); }, [](const protocol::Error &) {});
  showRows();
}

void PluginsController::take(const protocol::Plugins &plugins) {
  loaded_ = plugins.plugins;
  showRows();
  QList<protocol::Plugin> refused;
  std::copy_if(loaded_.begin(), loaded_.end(), std::back_inserter(refused),
               [](const protocol::Plugin &plugin) { return !plugin.problem.isEmpty(); });
  if (!refused.isEmpty())
    tellRefused(refused);
}

/// One that crashes while it is loaded is off from then on: the next start would only try it once more. Returns the
/// names of those that were on.
QStringList PluginsController::switchOff(const QList<protocol::Plugin> &refused) {
  QList<PluginChoice> list = settings().plugins();
  QStringList names;
  for (PluginChoice &choice : list)
    for (const protocol::Plugin &plugin : refused)
      if (choice.isEnabled && plugin.crashed && isSameFile(choice.file, plugin.path)) {
        choice.isEnabled = false;
        names.append(QFileInfo(choice.file).fileName());
      }
  if (names.isEmpty())
    return names;
  settings().setPlugins(list, /*tells=*/false);
  session().setArguments(settings().pluginArguments()); // the engine runs without it already
  showRows();
  return names;
}

void PluginsController::tellRefused(const QList<protocol::Plugin> &refused) {
  QString text = refused.first().problem;
  text.front() = text.front().toUpper();
  if (refused.size() > 1)
    text += tr(" (and %1 more)").arg(refused.size() - 1);
  if (const QStringList off = switchOff(refused); !off.isEmpty())
    text += tr(". %1 is switched off now").arg(off.join(u", "_s));
  Banner &banner = shell().banner();
  banner.showMessage(Banner::Kind::Warning, text);
  banner.addButton(tr("Plugins\u2026"), this, [this] { showPage(); });
}

const protocol::Plugin *PluginsController::blamed(const CrashReport &report) const {
  const auto isIn = [&](const protocol::Plugin &plugin) {
    // "3  libtoy.so 0x00007f52 (anonymous namespace)::Crash::runOnOperation() + 12"
    const QString file = u' ' + QFileInfo(plugin.path).fileName() + u' ';
    return (report.step && plugin.passes.contains(report.step->pass)) ||
           std::any_of(report.exit.stack.begin(), report.exit.stack.end(),
                       [&](const QString &frame) { return frame.contains(file); });
  };
  const auto found = std::find_if(loaded_.begin(), loaded_.end(), isIn);
  return found == loaded_.end() ? nullptr : &*found;
}

/// The command line of the program has asked for it.
bool PluginsController::isOfStart(const QString &file) const {
  const QStringList arguments = session().arguments();
  return std::any_of(arguments.begin(), arguments.end(), [&](const QString &argument) {
    return isSameFile(argument.mid(argument.indexOf(u'=') + 1), file);
  });
}

void PluginsController::showRows() {
  if (!page_)
    return;
  QList<PluginRow> rows;
  for (const PluginChoice &choice : settings().plugins())
    rows.append({.file = choice.file, .isEnabled = choice.isEnabled});
  for (const protocol::Plugin &plugin : std::as_const(loaded_)) {
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](const PluginRow &each) { return isSameFile(each.file, plugin.path); });
    if (row == rows.end() && !isOfStart(plugin.path))
      continue; // removed, and the engine is about to start again
    if (row == rows.end())
      row = rows.insert(rows.end(), {.file = plugin.path, .isFixed = true});
    row->isLoaded = plugin.problem.isEmpty();
    row->name = plugin.name;
    row->version = plugin.version;
    row->passes = plugin.passes;
    row->dialects = plugin.dialects;
    row->problem = plugin.problem;
  }
  page_->setRows(rows);
}

} // namespace fuselage
