#include "app/gui/tuning/TuneSearch.h"
#include "app/bridge/EngineSession.h"
#include "app/gui/replies/ViewData.h"

using namespace Qt::StringLiterals;

namespace fuselage {

static constexpr int pollingMs = 150;

TuneSearch::TuneSearch(EngineSession &session, QObject *parent) : QObject(parent), session_(session) {
  connect(&timer_, &QTimer::timeout, this, &TuneSearch::poll);
}

void TuneSearch::start(const protocol::Request<method::StartTuning> &request) {
  forget();
  session_.client().call<method::StartTuning>(
      request, this,
      [this](const protocol::TuneStarted &started) {
        peaks_ = started.peaks;
        note_ = started.note;
        timer_.start(pollingMs);
      },
      [this](const protocol::Error &error) { emit failed(error.message); });
}

void TuneSearch::control(method::TuneAction action) {
  session_.client().call<method::ControlTuning>({.action = action}, this,
                                                [this](const protocol::Nothing &) { poll(); });
}

void TuneSearch::stop() {
  timer_.stop();
  polls_ = false;
}

void TuneSearch::forget() {
  trials_.clear();
  known_ = 0;
  peaks_.reset();
  note_.clear();
}

void TuneSearch::poll() {
  if (polls_)
    return;
  polls_ = true;
  session_.client().call<method::PollTuning>(
      {.from = known_}, this,
      [this](const protocol::TuneProgress &progress) {
        polls_ = false;
        for (const protocol::TuneTrial &trial : progress.trials)
          trials_[trial.work].append({trial});
        known_ += int(progress.trials.size());
        session_.hold(u"tuning"_s, progress.isRunning); // it would end with the engine
        if (!progress.isRunning)
          timer_.stop();
        emit progressed(progress);
      },
      [this](const protocol::Error &error) {
        polls_ = false;
        if (error.code == protocol::Error::EngineGone)
          return;
        timer_.stop();
        emit failed(error.message);
      });
}

} // namespace fuselage
