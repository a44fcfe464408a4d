#include "core/tuning/device/TrialTeam.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Threading.h"

namespace fuselage::tune {

static constexpr unsigned kMostStarts = 3, kMostLosses = 2;

/// Copies for each of so many "local"s.
static unsigned crewSize(unsigned jobs, size_t locals) {
  constexpr unsigned most = 8; // what is compiled ahead is chosen without knowing how the others fare
  unsigned each = llvm::heavyweight_hardware_concurrency().compute_thread_count() / std::max<unsigned>(locals, 1);
  return jobs ? jobs : std::clamp(each, 1u, most);
}

llvm::Expected<std::unique_ptr<TrialTeam>> TrialTeam::make(const TeamOptions &options) {
  std::unique_ptr<TrialTeam> team(new TrialTeam());
  team->note_ = options.note;
  team->patience_ = options.patience;
  std::vector<std::string> workers = options.workers.empty() ? std::vector<std::string>{"local"} : options.workers;
  unsigned crew = crewSize(options.jobs, static_cast<size_t>(llvm::count(workers, "local")));
  for (auto [site, worker] : llvm::enumerate(workers)) {
    auto number = static_cast<unsigned>(site);
    if (worker == "local") {
      for (unsigned copy = 0; copy < crew; ++copy)
        team->members_.push_back({.maker = TrialMaker::copy(), .site = number});
      continue;
    }
    auto maker = TrialMaker::command(worker, options.version);
    if (!maker)
      return maker.takeError();
    team->members_.push_back({.maker = std::move(*maker), .site = number});
  }
  return team;
}

TrialTeam::~TrialTeam() {
  std::vector<Member *> all;
  for (Member &member : members_)
    all.push_back(&member);
  stop(all);
}

/// At once.
void TrialTeam::stop(llvm::ArrayRef<Member *> members) {
  for (Member *member : members)
    member->maker->askToStop();
  auto deadline = Clock::now() + TrialWorker::kGrace;
  for (Member *member : members)
    member->maker->stop(deadline);
}

void TrialTeam::say(const Member &member, const std::string &what) {
  if (note_ && member.maker->isCommand())
    note_("the worker '" + member.maker->name() + "' " + what);
}

void TrialTeam::start(Member &member) {
  member.state = State::Opening;
  member.since = member.saidLast = Clock::now();
  constexpr double toGetThere = 600; // a large module over a slow line
  if (llvm::Error error = member.maker->open(
          *subject_, member.maker->isCommand() ? std::max(openSeconds_, toGetThere) : openSeconds_, patience_))
    sendAway(member, takeFailure(std::move(error)).message, /*forGood=*/false);
}

/// Now and then, of those who take long to get ready.
void TrialTeam::sayWhoIsWaitedFor() {
  constexpr std::chrono::seconds often{10};
  for (Member &member : members_) {
    auto now = Clock::now();
    if (member.state != State::Opening || now < member.saidLast + often)
      continue;
    member.saidLast = now;
    auto seconds = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now - member.since).count());
    say(member, member.maker->isGreeted()
                    ? "reads the module and opens its device for " + seconds + " s now: it is waited for"
                    : "has not answered for " + seconds + " s: it is waited for, " +
                          std::to_string(static_cast<uint64_t>(patience_)) + " s at most");
  }
}

void TrialTeam::sendAway(Member &member, const std::string &why, bool forGood) {
  lastWhy_ = member.maker->isCommand() ? "the worker '" + member.maker->name() + "' " + why : why;
  say(member, why);
  member.maker->stop();
  member.state = State::Away;
  member.isGivenUp = forGood;
}

/// The first worker of the list that can have a device decides which one it is; the others wait for that.
void TrialTeam::agreeOnDevice() {
  for (const Member &member : members_) {
    if (device_ || member.isGivenUp || member.state == State::Away)
      continue;
    if (!member.device) {
      constexpr std::chrono::seconds patience{30};
      bool othersWait = llvm::any_of(members_, [](const Member &other) { return other.state == State::Opened; });
      if (othersWait && Clock::now() > opened_ + patience && !std::exchange(saidWhoDecides_, true))
        say(member, "is the first of the list, whose device is the one that counts: it is waited for");
      break;
    }
    device_ = member.device;
  }
  auto nameOf = [](const DeviceInfo &each) {
    return each.name + ", driver " + (each.driver.empty() ? "unknown" : each.driver);
  };
  for (Member &member : members_) {
    if (!device_ || member.state != State::Opened)
      continue;
    if (nameOf(*member.device) != nameOf(*device_)) {
      sendAway(member,
               "has another device, " + nameOf(*member.device) + ", not " + nameOf(*device_) + ", and is left out",
               /*forGood=*/true);
      continue;
    }
    member.state = State::Idle;
    startCrew(member);
  }
}

/// Copies beside the first one of a worker, which has the device.
void TrialTeam::startCrew(const Member &first) {
  constexpr unsigned mostBeside = 3; // each has a context of the device
  unsigned beside = 0;
  bool isFirst = &first == &*llvm::find_if(members_, [&](const Member &each) { return each.site == first.site; });
  for (Member &member : members_)
    if (isFirst && subject_->payload && member.site == first.site && member.state == State::Away &&
        (sharesProcessors(first) || beside++ < mostBeside))
      start(member);
}

/// Kernels run on the processors that compile.
bool TrialTeam::sharesProcessors(const Member &member) const {
  return member.device && member.device->model.isSoftware();
}

/// The trial, if there is one, goes to another one, which is no fault of the point.
void TrialTeam::handBack(Member &member) {
  if (hasJob(member))
    waiting_.push_front(std::move(member.job));
}

/// The trial goes to another one, or, after too many of them, is over.
std::optional<TrialTeam::Done> TrialTeam::loseJob(Member &member, const std::string &why) {
  if (!hasJob(member))
    return std::nullopt;
  Job job = std::move(member.job);
  if (++job.lost < kMostLosses) {
    waiting_.push_front(std::move(job));
    return std::nullopt;
  }
  std::chrono::duration<double> seconds = Clock::now() - member.since;
  return Done{.number = job.number,
              .measured = {.status = TrialStatus::Crashed,
                           .why = "the worker that ran it " + why + ", as another one did before"},
              .seconds = seconds.count(),
              .maker = member.maker->name()};
}

std::optional<TrialTeam::Done> TrialTeam::lost(Member &member, const std::string &why) {
  std::optional<Done> over = loseJob(member, why);
  if (member.starts >= kMostStarts) {
    sendAway(member, why + " for the third time and is given up", /*forGood=*/true);
    return over;
  }
  say(member, why + " and is started again");
  member.state = State::Resting;
  member.since = Clock::now() + std::chrono::milliseconds(200 * member.starts * member.starts);
  return over;
}

std::optional<TrialTeam::Done> TrialTeam::handle(Member &member, TrialMaker::Event event) {
  using Kind = TrialMaker::Event::Kind;
  member.job.seconds += std::chrono::duration<double>(Clock::now() - member.since).count();
  switch (event.kind) {
  case Kind::Opened:
    member.device = std::move(event.device);
    member.state = State::Opened;
    return std::nullopt;
  case Kind::Prepared:
    member.state = State::Prepared;
    return std::nullopt;
  case Kind::Lost:
    return lost(member, event.why);
  case Kind::Refused: {
    bool isOfTrial = hasJob(member); // another function may be fine
    handBack(member);
    sendAway(member, event.why, !isOfTrial && member.maker->isCommand());
    return std::nullopt;
  }
  case Kind::Measured:
    break;
  }
  member.state = State::Idle;
  return Done{.number = member.job.number,
              .measured = std::move(event.measured),
              .seconds = member.job.seconds,
              .maker = member.maker->isCommand() ? member.maker->name() : ""};
}

bool TrialTeam::hasJob(const Member &member) const {
  return member.state == State::Preparing || member.state == State::Prepared || member.state == State::Measuring;
}

bool TrialTeam::isAt(unsigned site, State state) const {
  return llvm::any_of(members_, [&](const Member &member) { return member.site == site && member.state == state; });
}

bool TrialTeam::mayTake(const Member &member) const {
  return member.state == State::Idle && !measuring_.count(member.site);
}

bool TrialTeam::hasIdle() const {
  return llvm::count_if(members_, [&](const Member &member) { return mayTake(member); }) >
         static_cast<ptrdiff_t>(waiting_.size());
}

bool TrialTeam::isBusy() const {
  return !waiting_.empty() || !done_.empty() ||
         llvm::any_of(members_, [&](const Member &member) { return hasJob(member); });
}

void TrialTeam::begin(size_t number, TrialRequest request) {
  waiting_.push_back({.number = number, .request = std::move(request)});
  handOut();
}

/// Has it compile its job, or measure it.
void TrialTeam::ask(Member &member, State state) {
  member.state = state;
  member.since = Clock::now();
  bool measures = state == State::Measuring;
  if (measures && update_)
    update_(member.job.number, member.job.request);
  if (llvm::Error error =
          measures ? member.maker->begin(member.job.request) : member.maker->prepare(member.job.request))
    if (auto over = lost(member, takeFailure(std::move(error)).message))
      done_.push_back(std::move(*over));
}

void TrialTeam::handOut() {
  for (Member &member : members_) {
    if (waiting_.empty() || !mayTake(member))
      continue;
    member.job = std::move(waiting_.front());
    waiting_.pop_front();
    ask(member, member.maker->isCommand() ? State::Measuring : State::Preparing);
  }
}

/// Of each worker's copies one measures: on processors that compile, too, once all have compiled, until none of them is
/// left.
void TrialTeam::measureNext() {
  for (Member &member : members_) {
    unsigned site = member.site;
    if (member.state == State::Prepared && !isAt(site, State::Measuring)) {
      if (sharesProcessors(member) && !measuring_.count(site) && isAt(site, State::Preparing))
        continue;
      if (sharesProcessors(member))
        measuring_.insert(site);
      ask(member, State::Measuring);
    }
  }
}

llvm::Error TrialTeam::whyNobody() const {
  bool isOne = llvm::all_of(members_, [&](const Member &member) { return member.site == members_.front().site; });
  return fail(isOne ? lastWhy_ : "no worker is left; the last one: " + lastWhy_);
}

/// Until something happens, or for a moment.
void TrialTeam::pause() const {
  std::vector<pollfd> files;
  for (const Member &member : members_)
    if (member.state == State::Opening || member.state == State::Preparing || member.state == State::Measuring)
      llvm::append_range(files, member.maker->waiting());
  poll(files.data(), files.size(), 100);
}

llvm::Error TrialTeam::cancel() {
  std::vector<Member *> working;
  for (Member &member : members_)
    if (member.state == State::Opening || hasJob(member))
      working.push_back(&member);
  stop(working);
  for (Member *member : working)
    member->state = State::Away;
  waiting_.clear();
  return fail("cancelled");
}

/// Whether something happened.
bool TrialTeam::takeNews() {
  bool isNews = false;
  for (Member &member : members_) {
    if (member.state == State::Resting && Clock::now() >= member.since) {
      ++member.starts;
      start(member);
    }
    if (member.state != State::Opening && member.state != State::Preparing && member.state != State::Measuring)
      continue;
    if (std::optional<TrialMaker::Event> event = member.maker->take()) {
      isNews = true;
      if (auto over = handle(member, std::move(*event)))
        done_.push_back(std::move(*over));
    }
  }
  agreeOnDevice();
  // Batches of which all is measured.
  for (auto site = measuring_.begin(); site != measuring_.end();)
    site = isAt(*site, State::Measuring) || isAt(*site, State::Prepared) ? std::next(site) : measuring_.erase(site);
  return isNews;
}

llvm::Expected<std::optional<TrialTeam::Done>> TrialTeam::wait() {
  const std::atomic<bool> *cancelled = subject_->run.cancelled;
  for (bool isFirst = true;; isFirst = false) {
    if (cancelled && cancelled->load())
      return cancel();
    handOut();
    if (done_.empty()) // what is done should be known to what is measured next
      measureNext();
    if (!isFirst)
      pause();
    bool isNews = takeNews();
    sayWhoIsWaitedFor();
    if (!done_.empty()) {
      Done next = std::move(done_.front());
      done_.pop_front();
      return next;
    }
    if (llvm::all_of(members_, [](const Member &member) { return member.state == State::Away; })) {
      waiting_.clear();
      return whyNobody();
    }
    if (isNews)
      return std::nullopt;
  }
}

llvm::Expected<DeviceInfo> TrialTeam::open(const TuneSubject &subject, double seconds) {
  subject_ = &subject;
  opened_ = Clock::now();
  openSeconds_ = seconds;
  waiting_.clear();
  done_.clear();
  measuring_.clear();
  for (auto [index, member] : llvm::enumerate(members_)) {
    bool isCrew = index > 0 && members_[index - 1].site == member.site; // follows the first one
    member.device.reset();
    if (isCrew)
      member.state = State::Away;
    if (member.isGivenUp || isCrew)
      continue;
    member.starts = std::max(member.starts, 1u);
    start(member);
  }
  while (llvm::none_of(members_, [](const Member &member) { return member.state == State::Idle; })) {
    auto news = wait();
    if (!news)
      return news.takeError();
  }
  return *device_;
}

} // namespace fuselage::tune
