#include "core/tuning/device/TrialTeam.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::tune {

static constexpr unsigned kMostStarts = 3, kMostLosses = 2;

llvm::Expected<std::unique_ptr<TrialTeam>> TrialTeam::make(llvm::ArrayRef<std::string> workers, const std::string &version, Note note) {
  std::unique_ptr<TrialTeam> team(new TrialTeam());
  team->note_ = std::move(note);
  for (const std::string &worker : workers) {
    if (worker == "local") {
      team->members_.push_back({.maker = TrialMaker::copy()});
      continue;
    }
    auto maker = TrialMaker::command(worker, version);
    if (!maker)
      return maker.takeError();
    team->members_.push_back({.maker = std::move(*maker)});
  }
  if (team->members_.empty())
    team->members_.push_back({.maker = TrialMaker::copy()});
  return team;
}

TrialTeam::~TrialTeam() {
  for (Member &member : members_)
    member.maker->stop();
}

void TrialTeam::say(const Member &member, const std::string &what) {
  if (note_ && member.maker->isCommand())
    note_("the worker '" + member.maker->name() + "' " + what);
}

void TrialTeam::start(Member &member) {
  member.state = State::Opening;
  // Where a queue of jobs or a login is between, it takes its time.
  constexpr double toGetThere = 600;
  if (llvm::Error error = member.maker->open(*subject_, member.maker->isCommand() ? std::max(openSeconds_, toGetThere) : openSeconds_))
    sendAway(member, takeFailure(std::move(error)).message, /*forGood=*/false);
}

void TrialTeam::sendAway(Member &member, const std::string &why, bool forGood) {
  lastWhy_ = member.maker->isCommand() ? "the worker '" + member.maker->name() + "' " + why : why;
  say(member, why);
  member.maker->stop();
  member.state = State::Away;
  member.isGivenUp = forGood;
}

void TrialTeam::opened(Member &member, const DeviceInfo &device) {
  if (!device_)
    device_ = device;
  auto nameOf = [](const DeviceInfo &each) { return each.name + ", driver " + (each.driver.empty() ? "unknown" : each.driver); };
  if (nameOf(device) != nameOf(*device_))
    return sendAway(member, "has another device, " + nameOf(device) + ", not " + nameOf(*device_) + ", and is left out", /*forGood=*/true);
  member.state = State::Idle;
}

/// The trial, if there is one, goes to another one, which is no fault of the point.
void TrialTeam::handBack(Member &member) {
  if (member.state == State::Busy)
    waiting_.push_front(std::move(member.job));
}

/// The trial goes to another one, or, after too many of them, is over.
std::optional<TrialTeam::Done> TrialTeam::loseJob(Member &member, const std::string &why) {
  if (member.state != State::Busy)
    return std::nullopt;
  Job job = std::move(member.job);
  if (++job.lost < kMostLosses) {
    waiting_.push_front(std::move(job));
    return std::nullopt;
  }
  std::chrono::duration<double> seconds = Clock::now() - member.since;
  return Done{.number = job.number,
              .measured = {.status = TrialStatus::Crashed, .why = "the worker that ran it " + why + ", as another one did before"},
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
  switch (event.kind) {
  case Kind::Opened:
    opened(member, event.device);
    return std::nullopt;
  case Kind::Lost:
    return lost(member, event.why);
  case Kind::Refused: {
    bool isOfTrial = member.state == State::Busy; // another function may be fine
    handBack(member);
    sendAway(member, event.why, !isOfTrial && member.maker->isCommand());
    return std::nullopt;
  }
  case Kind::Measured:
    break;
  }
  member.state = State::Idle;
  std::chrono::duration<double> seconds = Clock::now() - member.since;
  return Done{.number = member.job.number,
              .measured = std::move(event.measured),
              .seconds = seconds.count(),
              .maker = member.maker->isCommand() ? member.maker->name() : ""};
}

bool TrialTeam::hasIdle() const {
  return llvm::count_if(members_, [](const Member &member) { return member.state == State::Idle; }) > static_cast<ptrdiff_t>(waiting_.size());
}

bool TrialTeam::isBusy() const {
  return !waiting_.empty() || !done_.empty() || llvm::any_of(members_, [](const Member &member) { return member.state == State::Busy; });
}

void TrialTeam::begin(size_t number, TrialRequest request) {
  waiting_.push_back({.number = number, .request = std::move(request)});
  handOut();
}

void TrialTeam::handOut() {
  for (Member &member : members_) {
    if (waiting_.empty() || member.state != State::Idle)
      continue;
    member.job = std::move(waiting_.front());
    waiting_.pop_front();
    member.state = State::Busy;
    member.since = Clock::now();
    if (llvm::Error error = member.maker->begin(member.job.request))
      if (auto over = lost(member, takeFailure(std::move(error)).message))
        done_.push_back(std::move(*over));
  }
}

llvm::Error TrialTeam::whyNobody() const { return fail(members_.size() == 1 ? lastWhy_ : "no worker is left; the last one: " + lastWhy_); }

/// Until something happens, or for a moment.
void TrialTeam::pause() const {
  std::vector<pollfd> files;
  for (const Member &member : members_)
    if (member.state == State::Opening || member.state == State::Busy)
      llvm::append_range(files, member.maker->waiting());
  poll(files.data(), files.size(), 100);
}

llvm::Expected<std::optional<TrialTeam::Done>> TrialTeam::wait() {
  const std::atomic<bool> *cancelled = subject_->run.cancelled;
  for (bool isFirst = true;; isFirst = false) {
    if (cancelled && cancelled->load()) {
      for (Member &member : members_)
        if (member.state == State::Busy || member.state == State::Opening) {
          member.maker->stop();
          member.state = State::Away;
        }
      waiting_.clear();
      return fail("cancelled");
    }
    if (!isFirst)
      pause();
    bool isNews = false;
    for (Member &member : members_) {
      if (member.state == State::Resting && Clock::now() >= member.since) {
        ++member.starts;
        start(member);
      }
      if (member.state != State::Opening && member.state != State::Busy)
        continue;
      if (std::optional<TrialMaker::Event> event = member.maker->take()) {
        isNews = true;
        if (auto over = handle(member, std::move(*event)))
          done_.push_back(std::move(*over));
      }
    }
    handOut();
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
  openSeconds_ = seconds;
  waiting_.clear();
  done_.clear();
  for (Member &member : members_) {
    if (member.isGivenUp)
      continue;
    member.starts = std::max(member.starts, 1u);
    start(member);
  }
  auto isReady = [](const Member &member) { return member.state == State::Idle; };
  while (llvm::none_of(members_, isReady)) {
    auto news = wait();
    if (!news)
      return news.takeError();
  }
  return *device_;
}

} // namespace fuselage::tune
