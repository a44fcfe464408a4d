#include "app/gui/theme/ThemeController.h"
#include "app/gui/shell/Settings.h"
#include "views/common/Theme.h"
#include <QMenu>

using namespace Qt::StringLiterals;

namespace fuselage {

ThemeController::ThemeController(Shell &shell)
    : Controller(shell), system_(toggle(tr("&System Theme"))), light_(toggle(tr("&Light Theme"))),
      dark_(toggle(tr("&Dark Theme"))) {
  exclude({system_, light_, dark_});
  const auto choose = [this](const QString &theme) { settings().setTheme(theme); };
  connect(&settings(), &Settings::themeChanged, this, [this] { apply(settings().theme()); });
  on(system_, [choose] { choose(u"system"_s); });
  on(light_, [choose] { choose(u"light"_s); });
  on(dark_, [choose] { choose(u"dark"_s); });
  shell.addPreference(
      {.section = tr("Appearance"),
       .name = tr("Theme"),
       .kind = Preference::Kind::Choice,
       .choices = {{u"system"_s, tr("As the desktop")}, {u"light"_s, tr("Light")}, {u"dark"_s, tr("Dark")}},
       .value = [this] { return settings().theme(); },
       .set = choose});
  shell.addPreference({.section = tr("Appearance"),
                       .name = tr("Text size"),
                       .hint = tr("Of IR, diff and schedule; Ctrl+wheel changes that of one of them"),
                       .kind = Preference::Kind::Number,
                       .least = 50,
                       .most = 400,
                       .unit = tr(" %"),
                       .value = [this] { return QString::number(qRound(settings().textZoom() * 100)); },
                       .set = [this](const QString &value) { settings().setTextZoom(value.toInt() / 100.0); }});
  shell.menus().addMenu(Place::ViewTheme, tr("T&heme"))->addActions({system_, light_, dark_});
}

void ThemeController::apply(const QString &theme) {
  applyThemeMode(theme == "dark"_L1 ? ThemeMode::Dark : theme == "light"_L1 ? ThemeMode::Light : ThemeMode::System);
  (theme == "dark"_L1 ? dark_ : theme == "light"_L1 ? light_ : system_)->setChecked(true);
}

void ThemeController::restoreState(const Settings &settings) { apply(settings.theme()); }

} // namespace fuselage
