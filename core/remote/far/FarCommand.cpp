#include "core/remote/far/FarCommand.h"
#include "core/remote/far/Keeper.h"
#include "core/support/Error.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::remote {

/// In the session's folder, which is the current one: its whole path may be longer than a socket's may be.
static sockaddr_un socketAddress() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, "link", sizeof address.sun_path - 1);
  return address;
}

static OwnedFd newSocket() { return OwnedFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

static void say(llvm::StringRef line) {
  std::string text = ("\n" + farLinePrefix + line + "\n").str();
  [[maybe_unused]] ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
}

/// Leaves the terminal, the process group and the standard descriptors of the command that started it.
static void becomeDaemon() {
  setsid();
  if (fork() != 0)
    _exit(0);
  if (int null = open("/dev/null", O_RDWR); null >= 0) {
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(null, fd);
    if (null > STDERR_FILENO)
      close(null);
  }
}

[[noreturn]] static void keep(const FarSession &session, OwnedFd listener, const FarOptions &options,
                              const std::string &program) {
  becomeDaemon();
  session.removeOthers();
  session.store().evict(options.cacheBytes);
  if (auto engine = EngineChild::start(program, options.arguments, session.path()))
    Keeper(session, std::move(*engine), std::move(listener), options).run();
  else
    llvm::consumeError(engine.takeError());
  session.remove();
  _exit(0);
}

/// The keeper runs, and listens, when this returns.
static llvm::Error startKeeper(const FarOptions &options, const std::string &program) {
  auto session = FarSession::open(options.session, /*isNew=*/true);
  if (!session)
    return session.takeError();
  OwnedFd listener = newSocket();
  sockaddr_un address = socketAddress();
  const bool isListening = listener && fchdir(session->folder().fd()) == 0 &&
                           bind(listener.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) == 0 &&
                           listen(listener.get(), 4) == 0;
  if (!isListening)
    return fail(std::string("cannot listen in the cache folder: ") + std::strerror(errno));
  setNonBlocking(listener.get());
  pid_t child = fork();
  if (child == 0)
    keep(*session, std::move(listener), options, program);
  if (child < 0)
    return fail(std::string("cannot start the keeper of the engine: ") + std::strerror(errno));
  waitpid(child, nullptr, 0);
  return llvm::Error::success();
}

static OwnedFd connectToKeeper(const FarOptions &options) {
  const std::string folder = cacheFolder() + "/remote/sessions/" + options.session;
  OwnedFd link = newSocket();
  sockaddr_un address = socketAddress();
  if (chdir(folder.c_str()) != 0 || connect(link.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0)
    link.reset();
  return link;
}

/// Until one side ends.
static void carry(int link) {
  ByteQueue toKeeper, toNear;
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, link})
    setNonBlocking(fd);
  bool isOpen = true;
  while (isOpen) {
    constexpr size_t mostWaiting = size_t(1) << 20;
    auto input = [&](const ByteQueue &queue) { return static_cast<short>(queue.size() < mostWaiting ? POLLIN : 0); };
    pollfd wanted[] = {
        {.fd = STDIN_FILENO, .events = input(toKeeper), .revents = 0},
        {.fd = link, .events = static_cast<short>(input(toNear) | (toKeeper.empty() ? 0 : POLLOUT)), .revents = 0},
        {.fd = toNear.empty() ? -1 : STDOUT_FILENO, .events = POLLOUT, .revents = 0}};
    poll(wanted, 3, -1);
    auto move = [&](const pollfd &from, ByteQueue &queue) {
      std::string bytes;
      if ((from.revents & (POLLIN | POLLHUP | POLLERR)) && readSome(from.fd, bytes) == ReadResult::End)
        isOpen = false;
      queue.add(bytes);
    };
    move(wanted[0], toKeeper);
    move(wanted[1], toNear);
    isOpen = toKeeper.writeTo(link) && isOpen;
    isOpen = toNear.writeTo(STDOUT_FILENO) && isOpen;
  }
}

int runFarSide(const FarOptions &options, const std::string &program) {
  signal(SIGPIPE, SIG_IGN);
  if (options.isNew)
    if (llvm::Error error = startKeeper(options, program)) {
      say("failed " + takeFailure(std::move(error)).message);
      return 1;
    }
  OwnedFd link = connectToKeeper(options);
  if (!link) {
    say("gone");
    return 1;
  }
  say("ready");
  carry(link.get());
  return 0;
}

} // namespace fuselage::remote
