#include "core/engine/tuning/TuneSubject.h"
#include "core/analysis/tiles/TileReport.h"
#include "core/device/HostProcessor.h"
#include "core/engine/Engine.h"
#include "core/engine/ScriptParams.h"
#include "core/kernels/KernelCode.h"
#include "core/run/SingleDispatch.h"
#include "core/run/Specialize.h"
#include "core/runtime/device/DeviceInfo.h"
#include "core/schedules/script/Knobs.h"
#include "core/support/ResultErrors.h"
#include "core/tuning/dispatch/DispatchSpace.h"
#include "core/tuning/dispatch/HostTile.h"
#include "core/tuning/search/CostModel.h"
#include "core/tuning/space/PayloadSizes.h"
#include "core/tuning/space/ScheduleDemands.h"
#include "core/tuning/space/Selection.h"
#include "core/tuning/space/SpaceReader.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

namespace fuselage {

llvm::Expected<TuneSubjectParams> TuneSubjectParams::of(const method::TuneSubject<> &subject) {
  if (int(!subject.path.empty()) + int(!subject.dispatch.empty()) + int(subject.all) != 1)
    return badParameter("path", "or 'dispatch' must be there, and not both; 'all' of tune/start stands for them");
  return TuneSubjectParams{.snapshot = static_cast<unsigned>(subject.snapshot),
                           .path = subject.path,
                           .text = subject.text.value_or(""),
                           .isText = subject.text.has_value(),
                           .isAll = subject.all,
                           .script = scriptOptions(subject.script),
                           .dispatch = subject.dispatch,
                           .device = subject.device,
                           .function = subject.function,
                           .sizes = subject.sizes,
                           .fixed = subject.fixed};
}

std::string TuneSubjectParams::key() const {
  std::string key = std::to_string(snapshot);
  for (const std::string &part : {isAll ? std::string("all") : path, isText ? "text:" + text : std::string("file"),
                                  llvm::join(script.libraries, "\n"), script.entry, dispatch, device, function})
    key += '\0' + part;
  for (const auto &[name, size] : sizes)
    key += '\0' + name + "=" + std::to_string(size);
  for (const auto &[name, value] : script.arguments)
    key += '\0' + name + "=" + value;
  for (const auto &[name, value] : fixed)
    key += '\0' + name + "=" + value;
  return key;
}

llvm::Expected<std::unique_ptr<TuneSubject>> TuneSubject::open(Document &document, TuneSubjectParams params) {
  std::unique_ptr<TuneSubject> subject(new TuneSubject(std::move(params)));
  subject->snapshot_ = document.snapshot(subject->params_.snapshot);
  bool isScript = !subject->params_.path.empty();
  if (llvm::Error error = isScript ? subject->openScript(document) : subject->openDispatch(document))
    return error;
  if (llvm::Error error = subject->fix())
    return error;
  subject->look();
  return subject;
}

/// What kernels for the device follow. Failure: it is not here; lists those that are.
static llvm::Expected<DeviceModel> modelOf(llvm::StringRef id) {
  static std::map<std::string, DeviceModel, std::less<>> known; // asked at each move of a slider
  if (auto model = known.find(id); model != known.end())
    return model->second;
  std::vector<std::string> ids;
  for (const DeviceInfo &device : listDevices()) {
    if (device.id == id)
      return known[device.id] = device.model;
    ids.push_back(device.id);
  }
  return fail("there is no device '" + id.str() + "'; there are " + llvm::join(ids, ", "));
}

llvm::Error TuneSubject::openScript(Document &document) {
  auto payload = document.module(params_.snapshot);
  if (!payload)
    return payload.takeError();
  auto function = pickFunction(*payload, params_.function);
  if (!function)
    return function.takeError();
  auto script = params_.isText ? parseScript(document.session(), params_.text, params_.path, params_.script)
                               : fuselage::openScript(document.session(), params_.path, params_.script);
  if (!script)
    return script.takeError();
  auto read = tune::readSpace(*script->module, {.sizeNamed = tune::payloadSizes(*function, params_.sizes)});
  if (!read)
    return read.takeError();
  if (auto model = modelOf(params_.device)) {
    detail_ = tune::describeUnknownDemands(tune::addDemands(*read, *script->module, *function, *model));
  } else {
    detail_ = takeFailure(model.takeError()).message;
  }
  auto index = document.index(params_.snapshot);
  if (!index)
    return index.takeError();
  index_ = std::move(*index);
  tile_ = tune::scheduleTile(*script->module, *read, *function);
  space_ = std::move(read->space);
  if (space_.knobs.empty())
    return fail("the schedule '" + params_.path +
                "' leaves nothing open: it has no transform.tune.knob and no transform.tune.alternatives");
  name_ = params_.path;
  for (const message::ScheduleKnob<> &knob : knobsOf(*script).knobs)
    options_[knob.name] = knob.options;
  return llvm::Error::success();
}

llvm::Error TuneSubject::openDispatch(Document &document) {
  auto module = document.program(params_.snapshot);
  if (!module)
    return module.takeError();
  auto model = modelOf(params_.device);
  if (!model)
    return model.takeError();
  std::vector<Diagnostic> remarks;
  auto program = formKernelProgram(*module, params_.function, params_.sizes, remarks);
  if (!program)
    return program.takeError();
  auto dispatch = findDispatch(*program, params_.dispatch);
  if (!dispatch)
    return dispatch.takeError();
  auto space = tune::dispatchSpace(*dispatch, *model);
  if (!space)
    return space.takeError();
  program_ = std::move(*program);
  function_ = *dispatch;
  hasHostTiles_ = isHost(*model);
  space_ = std::move(*space);
  dispatch_ = function_.getName().str();
  name_ = "@" + dispatch_;
  detail_ = tune::describeShapingOp(function_);
  return llvm::Error::success();
}

llvm::Error TuneSubject::fix() {
  for (const auto &[name, text] : params_.fixed)
    if (llvm::Error error = space_.fix(name, text, name_))
      return error;
  return llvm::Error::success();
}

void TuneSubject::look() {
  clash_ = tune::findClash(space_);
  if (clash_)
    return;
  count_ = tune::countPoints(space_, tune::planLoops(space_));
  values_ = tune::feasibleValues(space_);
}

llvm::Expected<tune::Point> TuneSubject::pointNear(const std::map<std::string, std::string> &values,
                                                   const std::string &moved) const {
  tune::Point wanted;
  for (const tune::Knob &knob : space_.knobs)
    wanted.push_back(knob.selected.value_or(knob.domain.front()));
  for (const auto &[name, text] : values) {
    auto knob = space_.find(name);
    auto value = knob ? space_.knobs[*knob].valueOf(text) : std::nullopt;
    if (!value)
      return fail(knob ? "the knob '" + name + "' does not take '" + text + "'"
                       : name_ + " has no knob '" + name + "'");
    wanted[*knob] = *value;
  }
  std::optional<unsigned> kept = space_.find(moved);
  // All sizes of a dispatch are asked for, or none (0): who asks for one means others like it.
  if (kept && !dispatch_.empty() && wanted[*kept] != 0)
    for (int64_t &size : wanted)
      size = size == 0 ? wanted[*kept] : size;
  if (auto found = tune::nearestPoint(space_, wanted, kept))
    return *found;
  return fail(kept ? "no point has " + moved + " = " + space_.knobs[*kept].textOf(wanted[*kept])
                   : "no point was found near that");
}

message::TuneKnob<> TuneSubject::knobAt(unsigned number, const std::optional<tune::Point> &point) const {
  const tune::Knob &knob = space_.knobs[number];
  message::TuneKnob<> message{.name = knob.name,
                              .kind = knob.isRegion         ? "region"
                                      : knob.labels.empty() ? "number"
                                                            : "choice",
                              .domain = static_cast<int64_t>(knob.domain.size()),
                              .isFixed = params_.fixed.count(knob.name) > 0,
                              .line = static_cast<int>(knob.place.line)};
  if (auto options = options_.find(knob.name); options != options_.end())
    message.options = options->second;
  if (knob.selected)
    message.selected = knob.textOf(*knob.selected);
  if (!point)
    return message;
  message.value = knob.textOf((*point)[number]);
  std::vector<int64_t> values = values_.byKnob[number];
  if (!llvm::is_contained(values, (*point)[number])) // not all points were looked at
    values.insert(llvm::lower_bound(values, (*point)[number]), (*point)[number]);
  tune::Point other = *point;
  for (auto [index, value] : llvm::enumerate(values)) {
    other[number] = value;
    message.values.push_back(knob.textOf(value));
    if (space_.contains(other))
      message.fits.push_back(static_cast<int>(index));
  }
  return message;
}

llvm::Expected<message::TuneSpace<>> TuneSubject::at(const std::map<std::string, std::string> &values,
                                                     const std::string &moved,
                                                     llvm::ArrayRef<message::TuneTrial<>> trials) const {
  message::TuneSpace<> message{.subject = name_,
                               .detail = detail_,
                               .count = count_.text(),
                               .points = count_.points,
                               .isExact = count_.isExact,
                               .isComplete = values_.isComplete};
  std::optional<tune::Point> point;
  if (clash_) {
    message.problem = clash_->text(space_);
  } else {
    auto near = pointNear(values, moved);
    if (!near)
      return near.takeError();
    point = std::move(*near);
    message.tile = tileAt(*point);
    message.prediction = predict(*point, message.tile, trials);
  }
  for (unsigned knob = 0; knob < space_.knobs.size(); ++knob) {
    message.knobs.push_back(knobAt(knob, point));
    auto given = values.find(space_.knobs[knob].name);
    if (given != values.end() && point && given->second != message.knobs.back().value)
      message.moved.push_back(given->first);
  }
  for (auto [number, condition] : llvm::enumerate(space_.conditions))
    message.conditions.push_back({.text = condition.text,
                                  .origin = tune::nameOf(condition.origin).str(),
                                  .line = static_cast<int>(condition.place.line),
                                  .clashes = clash_ && llvm::is_contained(clash_->conditions, number)});
  for (const tune::Condition &bound : space_.bounds) {
    bool isOver = point && !bound.holds.holds(*point);
    message.conditions.push_back({.text = bound.text + (isOver ? ": this point is over that bound and is tried last"
                                                               : ": a bound, points over it are tried last"),
                                  .origin = tune::nameOf(bound.origin).str(),
                                  .line = static_cast<int>(bound.place.line)});
  }
  return message;
}

llvm::Expected<tune::RequestedDispatch> TuneSubject::run(const std::map<std::string, std::string> &values) const {
  if (!function_)
    return fail(name_ + " is a schedule: schedule/trace runs it with knobs");
  auto point = space_.pointOf(values);
  if (!point)
    return fail(name_ + " has no such point: each knob needs a value that it takes");
  if (std::vector<std::string> broken = space_.broken(*point); !broken.empty())
    return fail(name_ + " has no such point: " + llvm::join(broken, "; "));
  auto model = modelOf(params_.device);
  if (!model)
    return model.takeError();
  return tune::runRequested(function_, sizesAt(*point), *model);
}

message::TunePrediction<> TuneSubject::predict(const tune::Point &point, const std::optional<message::TuneTile<>> &tile,
                                               llvm::ArrayRef<message::TuneTrial<>> trials) const {
  constexpr size_t fewest = 8; ///< trials that say something of others
  message::TunePrediction<> prediction;
  if (tile)
    predictTiles(tile->sizes, prediction);
  std::vector<std::vector<double>> rows;
  std::vector<double> costs;
  for (const message::TuneTrial<> &trial : trials)
    if (auto tried = trial.relative > 0 ? space_.pointOf(trial.parameters) : std::nullopt) {
      rows.emplace_back(tried->begin(), tried->end());
      costs.push_back(trial.relative);
      if (*tried == point && trial.status == "ok") {
        prediction.relative = trial.relative;
        prediction.measured = trial.number;
      }
    }
  prediction.trials = static_cast<int>(rows.size());
  if (prediction.measured > 0 || rows.size() < fewest)
    return prediction;
  tune::CostModel model;
  model.fit(rows, costs, /*seed=*/1);
  prediction.relative = std::exp(model.predict(std::vector<double>(point.begin(), point.end())).mean);
  return prediction;
}

/// Of a dispatch on a GPU: each workgroup has a tile of the shaping op, the innermost reduction in
/// steps.
static std::optional<llvm::SmallVector<int64_t>> dispatchTile(mlir::linalg::LinalgOp op, const tune::Space &space,
                                                              const tune::Point &point) {
  llvm::SmallVector<int64_t> sizes(op.getNumLoops(), 0);
  llvm::SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (auto [knob, value] : llvm::zip_equal(space.knobs, point)) {
    if (value == 0 || !knob.sets)
      return std::nullopt; // the pipeline chooses
    if (knob.sets->role == tune::KnobRole::WorkgroupTile)
      sizes[knob.sets->loop] = value;
    else if (knob.sets->role == tune::KnobRole::ReductionStep)
      sizes[reductions.back()] = value;
    else if (knob.sets->role != tune::KnobRole::Split) // who shares a reduction has the same tile
      return std::nullopt;                             // sizes of registers
  }
  return sizes;
}

std::optional<message::TuneTile<>> TuneSubject::tileAt(const tune::Point &point) const {
  auto tileOf = [](llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> inner) {
    return message::TuneTile<>{.sizes = {sizes.begin(), sizes.end()}, .inner = {inner.begin(), inner.end()}};
  };
  if (mlir::linalg::LinalgOp op = function_ ? shapingOp(function_) : nullptr) {
    if (hasHostTiles_) {
      auto tile = tune::hostTile(function_, sizesAt(point));
      return tile ? std::optional(tileOf(tile->task, tile->registers)) : std::nullopt;
    }
    auto sizes = dispatchTile(op, space_, point);
    return sizes ? std::optional(tileOf(*sizes, {})) : std::nullopt;
  }
  if (!tile_)
    return std::nullopt;
  llvm::SmallVector<int64_t> sizes;
  for (const tune::Expression &size : tile_->sizes) {
    auto number = size.evaluate(point);
    if (!number || *number < 0)
      return std::nullopt;
    sizes.push_back(*number);
  }
  message::TuneTile<> tile = tileOf(sizes, {});
  tile.op = index_->idOf(tile_->op);
  return tile;
}

tune::RequestedSizes TuneSubject::sizesAt(const tune::Point &point) const {
  tune::RequestedSizes sizes;
  for (auto [knob, size] : llvm::zip_equal(space_.knobs, point))
    sizes[knob.name] = size;
  return sizes;
}

/// Of the op alone; tiles of a schedule may be a loop's on one processor as well.
void TuneSubject::predictTiles(llvm::ArrayRef<int64_t> sizes, message::TunePrediction<> &prediction) const {
  constexpr int64_t budget = 2000; ///< footprints: a slider waits for the answer
  mlir::Operation *op = function_ ? shapingOp(function_).getOperation() : tile_->op;
  TileRequest request;
  request.sizes = llvm::to_vector(sizes);
  request.budget = budget;
  auto chain = TileChain::build(op, {});
  if (!chain)
    return llvm::consumeError(chain.takeError());
  auto report = reportTile(*chain, request);
  if (!report)
    return llvm::consumeError(report.takeError());
  prediction.tiles = 1;
  for (const ReportedLoop &loop : report->loops)
    prediction.tiles *= loop.isReduction ? 1 : loop.trips;
  prediction.workgroupBytes = report->workgroupBytes;
  prediction.bytes = report->tiled.bytes;
  prediction.flops = report->tiled.flops;
}

} // namespace fuselage
