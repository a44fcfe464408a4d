#include "app/cli/run/RunKeeper.h"
#include <csignal>
#include <unistd.h>

namespace fuselage::cli {

namespace {
std::atomic<bool> interrupted = false;
sem_t interrupts;

void interrupt(int) {
  interrupted = true;
  sem_post(&interrupts);
}
} // namespace

RunKeeper::RunKeeper(std::string device, Report report) : device_(std::move(device)), report_(std::move(report)) {
  interrupted = false;
  sem_init(&interrupts, 0, 0);
}

RunKeeper::~RunKeeper() {
  std::signal(SIGINT, SIG_DFL);
  isOver_ = true;
  sem_post(&interrupts);
  if (thread_.joinable())
    thread_.join();
}

const std::atomic<bool> *RunKeeper::cancelled() const { return &interrupted; }

void RunKeeper::watch(const RunProgress &progress) {
  if (progress.rows.empty())
    return;
  {
    std::lock_guard lock(mutex_);
    rows_.resize(progress.firstRow);
    rows_.insert(rows_.end(), progress.rows.begin(), progress.rows.end());
    done_ = progress.dispatchesDone;
    of_ = progress.dispatches;
  }
  if (thread_.joinable() || done_ == 0)
    return;
  thread_ = std::thread([this] { keep(); });
  struct sigaction before {};
  if (sigaction(SIGINT, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) // as nohup has it
    std::signal(SIGINT, interrupt);
}

RunReport RunKeeper::partial() {
  std::lock_guard lock(mutex_);
  RunReport report;
  report.device = device_;
  report.kernels = rows_;
  for (const KernelReport &row : rows_)
    if (row.kind == KernelReport::Kind::Dispatch && report.function.empty())
      report.function = llvm::StringRef(row.dispatch).split("_dispatch_").first.str(); // as outlining names them
  report.cancelled = {.after = int(done_), .of = int(of_)};
  judge(report);
  return report;
}

void RunKeeper::keep() {
  constexpr useconds_t moment = 60'000, look = 5'000;
  while (sem_wait(&interrupts) != 0)
    ;
  for (useconds_t waited = 0; waited < moment && !isOver_ && !isTaken_; waited += look)
    usleep(look);
  if (isOver_ || isTaken_.exchange(true))
    return;
  _exit(report_(partial()));
}

void RunKeeper::finish() {
  while (isTaken_.exchange(true))
    pause(); // the other thread ends the process
}

} // namespace fuselage::cli
