// fuselage remote: the engine on another machine.
#include "app/cli/remote/RemoteCommands.h"
#include "core/support/StandardOutput.h"

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
  if (!arguments.empty())
    for (const Action &action : actions)
      if (arguments[0] == action.name)
        return action.run(arguments.drop_front());
  std::vector<std::string> names;
  for (const Action &action : actions)
    names.push_back(action.name.str());
  std::string action;
  Options options("remote", "ACTION",
                  "The engine on another machine, reached by a command that is given here, such as 'ssh gpu1'. Its last "
                  "argument is a script for sh, which this program adds. ACTION:\n\n"
                  "  check    say which machine it is, and which engines it has\n"
                  "  install  copy this engine into the user's cache folder there, without root\n"
                  "  clean    remove the engines of other builds there that no process runs\n"
                  "  pack     write this engine as a folder that starts on other machines\n\n"
                  "'fuselage remote ACTION --help' lists the options of one.");
  options.example("fuselage remote check --command 'ssh gpu1'");
  options.example("fuselage remote install --command 'ssh gpu1'");
  if (auto code = options.parse(arguments))
    return *code;
  auto near = nearestName(options.positional(), names);
  return usageError("remote", "there is no action '" + options.positional() + "'" +
                                  (near ? "; did you mean '" + *near + "'?" : ": it is check, install, clean or pack"));
}

} // namespace fuselage::cli
