#include "app/cli/ToolInput.h"
#include "app/cli/Activity.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

namespace fuselage::cli {

llvm::Expected<Input> openByTool(Session &session, llvm::StringRef line, llvm::StringRef path,
                                 std::shared_ptr<ToolRun> &run, int &exitCode) {
  auto command = readToolCommand(line);
  if (!command)
    return command.takeError();
  std::string program = command->program();
  setActivity("running " + program);
  auto prepared = ToolRun::prepare(std::move(*command), path);
  if (!prepared)
    return prepared.takeError();
  run = std::move(*prepared);
  auto progress = [&](uint64_t bytes) {
    setActivity("running " + program + ", " + std::to_string(bytes >> 20) + " MiB of IR so far");
  };
  auto end = run->run(nullptr, progress, /*takesSignals=*/true);
  if (!end)
    return end.takeError();
  if (end->signal) {
    run.reset(); // the log goes before we do
    std::signal(end->signal, SIG_DFL);
    std::raise(end->signal);
  }
  setActivity("reading what " + program + " printed");
  auto recording = run->read(session);
  watchPasses(session.context());
  if (!recording)
    return recording.takeError();
  if (std::optional<Failure> failure = run->failure()) {
    llvm::errs() << "error: " << failure->message << '\n';
    exitCode = ExitInputError;
  }
  Input input;
  input.log = std::move(*recording);
  return input;
}

} // namespace fuselage::cli
