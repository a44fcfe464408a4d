// fuselage remote: the engine on another machine.
#include "app/cli/remote/RemoteCommands.h"

namespace fuselage::cli {

namespace {
struct Action {
  llvm::StringRef name;
  int (*run)(Arguments);
};
constexpr Action actions[] = {
    {"install", remoteInstall}, {"check", remoteCheck}, {"clean", remoteClean}, {"pack", remotePack}};
} // namespace

int remoteCommand(Arguments arguments) {
  if (arguments.empty() || arguments[0].starts_with("-"))
    return remoteLink(arguments);
  std::vector<std::string> names;
  for (const Action &action : actions) {
    if (arguments[0] == action.name)
      return action.run(arguments.drop_front());
    names.push_back(action.name.str());
  }
  auto near = nearestName(arguments[0], names);
  return usageError("remote", "there is no action '" + arguments[0].str() + "'" +
                                  (near ? "; did you mean '" + *near + "'?" : ": it is check, install, clean or pack"));
}

} // namespace fuselage::cli
