#include "core/runtime/host/HostCode.h"
#include "core/executable/HostSymbols.h"
#include "core/runtime/host/Align.h"
#include "core/runtime/host/HostArena.h"
#include "core/runtime/host/HostLinker.h"
#include "core/runtime/host/HostThreads.h"
#include "core/runtime/host/NarrowFloatFunctions.h"
#include <algorithm>
#include <chrono>
#include <csetjmp>
#include <cstring>
#include <mutex>

namespace fuselage {

/// How the reason begins where compiled code wanted more than there is.
static constexpr char kOutOfMemory[] = "out of memory on the host";

bool isStopOnHost(std::string_view message) {
  return message.find(kStoppedOnHost) != message.npos && message.find(kOutOfMemory) == message.npos &&
         message.find(" MiB") == message.npos && message.find("cancelled") == message.npos;
}

MemRefDescriptor::MemRefDescriptor(void *data, std::span<const int64_t> shape) : words_(3 + 2 * shape.size()) {
  words_[0] = words_[1] = reinterpret_cast<int64_t>(data);
  std::copy(shape.begin(), shape.end(), words_.begin() + 3);
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    words_[3 + shape.size() + i] = stride;
}

namespace {

/// A call in progress on this thread. Compiled code has no destructors to run, so it is left by
/// longjmp; the arena frees what it had allocated.
struct RunningCall {
  HostArena *arena = nullptr;
  HostThreads *threads = nullptr;
  const std::atomic<bool> *cancelled = nullptr;
  std::string printedText;
  std::string stopReason;
  std::optional<HostPoison> poison; ///< the first
  std::jmp_buf leave;
};
thread_local RunningCall *runningCall = nullptr;

[[noreturn]] void stopCall(const char *reason) {
  runningCall->stopReason = reason;
  std::longjmp(runningCall->leave, 1);
}

void *hostAlignedAlloc(uint64_t alignment, uint64_t bytes) {
  void *block = runningCall->arena->allocate(bytes, alignment);
  if (!block)
    stopCall("out of memory on the host; use smaller sizes");
  return block;
}
void *hostAlloc(uint64_t bytes) { return hostAlignedAlloc(64, bytes); }
void hostFree(void *block) { runningCall->arena->release(block); }
void hostPoll() {
  if (runningCall->cancelled && runningCall->cancelled->load(std::memory_order_relaxed))
    stopCall("cancelled");
}
int hostPuts(const char *text) {
  runningCall->printedText = text;
  return 0;
}
/// LLVM makes this of puts("").
int hostPutchar(int) { return hostPuts(""); }
void hostAbort() { stopCall("an assertion of the module failed"); }
int64_t hostPoison(int64_t site, int64_t number) {
  if (!runningCall->poison)
    runningCall->poison = HostPoison{site, number};
  return runningCall->arena->fill().value_or(0) != 0;
}

/// Calls `code`; false if it was left through stopCall.
bool invokeGuarded(void (*code)(void **), void **arguments, RunningCall &call) {
  if (setjmp(call.leave) != 0)
    return false;
  code(arguments);
  return true;
}

/// Tasks of a call, on whichever thread.
struct RunningTasks {
  HostTasks tasks;
  void *context;
  const RunningCall &call;
  std::mutex stopping;
  bool stopped = false;
  std::string printedText, stopReason; ///< of the first that was left
};

/// Leaves the tasks, and not the thread, where they stop.
void runGuarded(int64_t begin, int64_t end, void *context) {
  auto &running = *static_cast<RunningTasks *>(context);
  RunningCall part;
  part.arena = running.call.arena;
  part.cancelled = running.call.cancelled;
  RunningCall *outer = std::exchange(runningCall, &part);
  if (setjmp(part.leave) == 0) {
    running.tasks(begin, end, running.context);
  } else {
    std::lock_guard lock(running.stopping);
    if (!std::exchange(running.stopped, true)) {
      running.printedText = part.printedText;
      running.stopReason = part.stopReason;
    }
  }
  runningCall = outer;
}

/// False if a task stopped; the call knows why.
bool runOnThreads(HostThreads &threads, HostTasks tasks, void *context, int64_t count, int64_t portion) {
  RunningTasks running{
      .tasks = tasks, .context = context, .call = *runningCall, .stopping = {}, .printedText = {}, .stopReason = {}};
  threads.run(runGuarded, &running, count, portion);
  if (!running.stopped)
    return true;
  runningCall->printedText = running.printedText;
  runningCall->stopReason = running.stopReason;
  return false;
}

void hostRunTasks(HostTasks tasks, void *context, int64_t count, int64_t portion) {
  if (!runningCall->threads)
    tasks(0, count, context);
  else if (!runOnThreads(*runningCall->threads, tasks, context, count, portion))
    std::longjmp(runningCall->leave, 1);
}

/// Takes pointers to the arguments, and one to where the result goes if there is one.
using HostEntry = void (*)(void **);

/// How a result is laid out inside the struct that compiled code returns several in.
struct FieldLayout {
  unsigned bytes = 0, alignment = 0;
};

} // namespace

const std::map<std::string_view, void *> &hostRuntimeFunctions() {
  static const std::map<std::string_view, void *> functions = {
      {host::kAlignedAlloc, reinterpret_cast<void *>(hostAlignedAlloc)},
      {host::kAlloc, reinterpret_cast<void *>(hostAlloc)},
      {host::kFree, reinterpret_cast<void *>(hostFree)},
      {host::kPoll, reinterpret_cast<void *>(hostPoll)},
      {host::kRunTasks, reinterpret_cast<void *>(hostRunTasks)},
      {host::kPuts, reinterpret_cast<void *>(hostPuts)},
      {host::kPutchar, reinterpret_cast<void *>(hostPutchar)},
      {host::kAbort, reinterpret_cast<void *>(hostAbort)},
      {host::kPoison, reinterpret_cast<void *>(hostPoison)},
      {host::kWidenFloat, reinterpret_cast<void *>(widenFloat)},
      {host::kNarrowFloat, reinterpret_cast<void *>(narrowFloat)},
      {host::kTruncateToBf16, reinterpret_cast<void *>(truncateToBf16)},
      {host::kTruncateWideToBf16, reinterpret_cast<void *>(truncateWideToBf16)},
  };
  return functions;
}

/// The in-memory form of a function's argument or result; nullopt: cannot be passed.
static std::optional<FieldLayout> layoutOf(const HostValueForm &form) {
  switch (form.kind) {
  case HostValueForm::Kind::Scalar:
    return FieldLayout{form.elementBytes, form.elementBytes};
  case HostValueForm::Kind::Complex:
    return FieldLayout{form.elementBytes, form.elementBytes / 2};
  case HostValueForm::Kind::Tensor:
    return FieldLayout{unsigned(8 * (3 + 2 * form.shape.size())), 8};
  case HostValueForm::Kind::Unknown:
    break;
  }
  return std::nullopt;
}

struct HostCode::Impl {
  std::unique_ptr<HostLinker> linker;
  std::shared_ptr<const HostCallForm> form;
  /// What was looked up already: the linker's tables are guarded by a lock, which a forked copy might
  /// find taken.
  std::map<std::string, HostEntry, std::less<>> code;
  std::shared_ptr<HostArena> arena = std::make_shared<HostArena>();
  const std::atomic<bool> *cancelled = nullptr;
  HostThreads *threads = nullptr;
  double microseconds = 0;
  std::optional<HostPoison> poison;
};

HostCode::HostCode() : impl_(std::make_unique<Impl>()) {}
HostCode::~HostCode() = default;

Result<std::unique_ptr<HostCode>> HostCode::load(std::string_view object, std::shared_ptr<const HostCallForm> form) {
  auto linker = linkHostObject(object);
  if (!linker)
    return linker.takeError();
  std::unique_ptr<HostCode> code(new HostCode());
  code->impl_->linker = std::move(*linker);
  code->impl_->form = std::move(form);
  return code;
}

const HostCallForm &HostCode::form() const { return *impl_->form; }
const HostFunctionForm *HostCode::formOf(std::string_view function) const {
  auto found = impl_->form->functions.find(function);
  return found == impl_->form->functions.end() ? nullptr : &found->second;
}
const std::shared_ptr<HostArena> &HostCode::arena() const { return impl_->arena; }
void HostCode::useArena(std::shared_ptr<HostArena> arena) { impl_->arena = std::move(arena); }
void HostCode::useThreads(HostThreads *threads) { impl_->threads = threads; }
void HostCode::useCancel(const std::atomic<bool> *cancelled) { impl_->cancelled = cancelled; }
double HostCode::lastMicroseconds() const { return impl_->microseconds; }
const std::optional<HostPoison> &HostCode::lastPoison() const { return impl_->poison; }

/// Copies results out of the struct in which compiled code returned them.
static void scatterResults(std::span<const HostValueForm> forms, const uint8_t *from, std::span<void *const> results) {
  unsigned offset = 0;
  for (size_t i = 0; i < forms.size(); ++i) {
    FieldLayout layout = *layoutOf(forms[i]);
    offset = alignedTo(offset, layout.alignment);
    std::memcpy(results[i], from + offset, layout.bytes);
    offset += layout.bytes;
  }
}

Status HostCode::prepare(std::string_view function) {
  if (!formOf(function))
    return failWith("there is no function @" + std::string(function) + " in the compiled module");
  HostEntry &known = impl_->code[std::string(function)];
  if (known)
    return Status::success();
  auto address = impl_->linker->lookUp(hostEntryOf(hostWrapperOf(function)));
  if (!address)
    return failWith("the host's linker did not take @" + std::string(function) + ": " + address.error().message());
  known = reinterpret_cast<HostEntry>(*address);
  return Status::success();
}

Status HostCode::call(std::string_view function, std::span<void *const> arguments, std::span<void *const> results) {
  const HostFunctionForm *form = formOf(function);
  if (!form)
    return failWith("there is no function @" + std::string(function) + " in the compiled module");
  if (arguments.size() != form->arguments.size() || results.size() != form->results.size())
    return failWith("@" + std::string(function) + " takes " + std::to_string(form->arguments.size()) +
                    " arguments and gives " + std::to_string(form->results.size()) + " results, not " +
                    std::to_string(arguments.size()) + " and " + std::to_string(results.size()));
  for (const auto *values : {&form->arguments, &form->results})
    if (std::any_of(values->begin(), values->end(), [](const HostValueForm &value) { return !layoutOf(value); }))
      return failWith("@" + std::string(function) +
                      " takes or gives a value that is neither a ranked memref "
                      "nor a scalar; the host cannot pass it");

  if (Status error = prepare(function))
    return error;
  HostEntry code = impl_->code.find(function)->second;

  // Several results, memrefs and complex numbers come back in one struct, through a pointer that is
  // the first argument; a lone plain scalar is returned, to where the last packed pointer says.
  bool byStruct = results.size() > 1 || (results.size() == 1 && form->results[0].kind != HostValueForm::Kind::Scalar);
  std::vector<uint64_t> returned;
  void *returnedAt = nullptr;
  std::vector<void *> pointers(arguments.begin(), arguments.end()), packed;
  if (byStruct) {
    unsigned bytes = 0;
    for (const HostValueForm &result : form->results)
      bytes = alignedTo(bytes, 16) + layoutOf(result)->bytes;
    returned.resize(bytes / 8 + 4);
    returnedAt = reinterpret_cast<void *>(alignedTo(reinterpret_cast<uintptr_t>(returned.data()), 16));
    packed.push_back(&returnedAt);
  }
  for (unsigned i = 0; i < pointers.size(); ++i)
    packed.push_back(form->arguments[i].isTensor() ? static_cast<void *>(&pointers[i]) : pointers[i]);
  if (!byStruct && !results.empty())
    packed.push_back(results[0]);

  RunningCall call;
  call.arena = impl_->arena.get();
  call.cancelled = impl_->cancelled;
  call.threads = impl_->threads;
  HostThreads::Awake awake(call.threads);
  RunningCall *outer = std::exchange(runningCall, &call);
  auto start = std::chrono::steady_clock::now();
  bool finished = invokeGuarded(code, packed.data(), call);
  impl_->microseconds = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  runningCall = outer;
  impl_->poison = call.poison;
  if (!finished) {
    impl_->arena->reclaim();
    std::string_view said = call.printedText;
    constexpr std::string_view mark = kCheckMark;
    bool isCheck = said.substr(0, mark.size()) == mark;
    std::string why = isCheck        ? std::string(said.substr(mark.size()))
                      : said.empty() ? call.stopReason
                                     : call.stopReason + ": " + std::string(said);
    return failWith("@" + std::string(function) + kStoppedOnHost + why);
  }
  if (byStruct)
    scatterResults(form->results, static_cast<const uint8_t *>(returnedAt), results);
  for (unsigned i = 0; i < results.size(); ++i)
    if (form->results[i].isTensor())
      impl_->arena->keep(*static_cast<void **>(results[i]));
  impl_->arena->reclaim();
  return Status::success();
}

} // namespace fuselage
