#include "core/run/reference/HostJit.h"
#include "core/codegen/host/HostCode.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/NarrowFloats.h"
#include "core/codegen/host/safety/HostChecks.h"
#include "core/codegen/host/safety/HostSafety.h"
#include "core/codegen/host/safety/PoisonChecks.h"
#include "core/runtime/host/HostArena.h"
#include "core/runtime/host/HostThreads.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include <chrono>
#include <csetjmp>
#include <cstring>
#include <mutex>

using namespace mlir;

namespace fuselage {

MemRefDescriptor::MemRefDescriptor(void *data, ArrayRef<int64_t> shape) : words_(3 + 2 * shape.size()) {
  words_[0] = words_[1] = reinterpret_cast<int64_t>(data);
  llvm::copy(shape, words_.begin() + 3);
  llvm::copy(computeStrides(shape), words_.begin() + 3 + shape.size());
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

constexpr llvm::StringLiteral pollName = "fuselage_host_poll";

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

/// The functions of ours that compiled code calls, by name.
const llvm::StringMap<void *> &hostFunctions() {
  static const llvm::StringMap<void *> functions = [] {
    llvm::StringMap<void *> all = {
        {"_mlir_memref_to_llvm_aligned_alloc", reinterpret_cast<void *>(hostAlignedAlloc)},
        {"_mlir_memref_to_llvm_alloc", reinterpret_cast<void *>(hostAlloc)},
        {"_mlir_memref_to_llvm_free", reinterpret_cast<void *>(hostFree)},
        {pollName, reinterpret_cast<void *>(hostPoll)},
        {kRunTasks, reinterpret_cast<void *>(hostRunTasks)},
        {"puts", reinterpret_cast<void *>(hostPuts)},
        {"putchar", reinterpret_cast<void *>(hostPutchar)},
        {"abort", reinterpret_cast<void *>(hostAbort)},
        {kPoisonHook, reinterpret_cast<void *>(hostPoison)},
    };
    for (const auto &function : narrowFloatFunctions())
      all[function.getKey()] = function.getValue();
    return all;
  }();
  return functions;
}

/// How a result is laid out inside the struct that compiled code returns several in.
struct FieldLayout {
  unsigned bytes = 0, alignment = 0;
};

} // namespace

/// The in-memory form of a function's argument or result; nullopt: cannot be passed.
static std::optional<FieldLayout> layoutOf(Type type) {
  if (auto memref = llvm::dyn_cast<MemRefType>(type))
    return FieldLayout{unsigned(8 * (3 + 2 * memref.getRank())), 8};
  unsigned bytes = hostElementBytes(type);
  if (!bytes)
    return std::nullopt;
  bool complex = llvm::isa<ComplexType>(type);
  return FieldLayout{bytes, complex ? bytes / 2 : bytes};
}

struct HostJit::Impl {
  std::unique_ptr<HostCode> machineCode;
  std::map<std::string, FunctionType> types; ///< by the names that callers use
  /// What was looked up already: the linker's tables are behind a lock, which a forked copy might
  /// find taken.
  std::map<std::string, HostEntry> code;
  std::shared_ptr<HostArena> arena = std::make_shared<HostArena>();
  const std::atomic<bool> *cancelled = nullptr;
  HostThreads *threads = nullptr;
  HostKernels kernels;
  double microseconds = 0;
  std::optional<HostPoison> poison;
};

HostJit::HostJit() : impl_(std::make_unique<Impl>()) {}
HostJit::~HostJit() = default;

FunctionType HostJit::typeOf(StringRef function) const {
  auto found = impl_->types.find(function.str());
  return found == impl_->types.end() ? FunctionType() : found->second;
}

const std::shared_ptr<HostArena> &HostJit::arena() const { return impl_->arena; }
void HostJit::useArena(std::shared_ptr<HostArena> arena) { impl_->arena = std::move(arena); }
void HostJit::useThreads(HostThreads *threads) { impl_->threads = threads; }
const HostKernels &HostJit::kernels() const { return impl_->kernels; }
double HostJit::lastMicroseconds() const { return impl_->microseconds; }
const std::optional<HostPoison> &HostJit::lastPoison() const { return impl_->poison; }

/// A name that none of ours and none of a library has: a module's own @powf must not answer a call of powf.
static std::string symbolOf(StringRef symbol) { return "fuselage.user." + symbol.str(); }
/// What llvm.emit_c_interface calls the functions that others may call.
constexpr llvm::StringLiteral kWrapperPrefix = "_mlir_ciface_", kEntryPrefix = "_mlir_ciface_fuselage.user.";

/// Tells LLVM that the memory of different arguments does not overlap.
static void markArgumentsDistinct(ModuleOp module, const std::map<std::string, FunctionType> &types) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    auto found = name.consume_front(symbolOf("")) ? types.find(name.str()) : types.end();
    if (found == types.end())
      continue;
    unsigned position = 0;
    for (Type type : found->second.getInputs()) {
      auto memref = llvm::dyn_cast<MemRefType>(type);
      if (memref && position + 1 < function.getNumArguments())
        function.setArgAttr(position + 1, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(module.getContext()));
      position += memref ? 3 + 2 * memref.getRank() : 1;
    }
  }
}

/// Fresh memory overlaps nothing.
static void markAllocationsDistinct(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.getName().starts_with("_mlir_memref_to_llvm_") && function.getName().ends_with("alloc"))
      function.setResultAttr(0, LLVM::LLVMDialect::getNoAliasAttrName(), UnitAttr::get(module.getContext()));
}

/// Gives each symbol that the module defines a name of its own, wherever it is referred to.
static void renameSymbols(ModuleOp module) {
  llvm::StringMap<StringAttr> names;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    if (symbol.isDeclaration())
      continue;
    auto name = StringAttr::get(module.getContext(), symbolOf(symbol.getName()));
    names[symbol.getName()] = name;
    symbol.setName(name);
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](SymbolRefAttr reference) -> std::optional<Attribute> {
    StringAttr name = names.lookup(reference.getRootReference());
    return name ? std::optional<Attribute>(SymbolRefAttr::get(name, reference.getNestedReferences())) : std::nullopt;
  });
  for (Operation &op : *module.getBody())
    replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true);
}

llvm::Expected<std::unique_ptr<HostJit>> HostJit::compile(ModuleOp module, const HostJitOptions &options) {
  std::unique_ptr<HostJit> jit(new HostJit());
  jit->impl_->cancelled = options.cancelled;
  OwningOpRef<ModuleOp> copy(module.clone());
  if (llvm::Error error = refuseUnsafe(*copy))
    return error;
  for (auto function : copy->getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    jit->impl_->types.emplace(function.getName().str(), function.getFunctionType());
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), UnitAttr::get(module.getContext()));
  }
  renameSymbols(*copy);
  if (llvm::Error error = lowerMemRefsToLlvm(*copy, pollName, options.threads, &jit->impl_->kernels))
    return error;
  if (llvm::Error error = refuseForeignSymbols(*copy, hostFunctions()))
    return error;
  // The lowering drops spaces and so changes types by name only where callers cannot tell.
  if (options.distinctArguments)
    markArgumentsDistinct(*copy, jit->impl_->types);
  markAllocationsDistinct(*copy);

  auto code = HostCode::compile(*copy, {.optLevel = options.optLevel,
                                        .entryPrefix = kEntryPrefix,
                                        .functions = hostFunctions(),
                                        .optimized = [&](llvm::Module &lowered) {
                                          if (options.optimized)
                                            options.optimized(lowered);
                                        }});
  if (!code)
    return fail("the host's compiler refused the lowered module: " + takeFailure(code.takeError()).message);
  jit->impl_->machineCode = std::move(*code);
  return jit;
}

/// Copies results out of the struct in which compiled code returned them.
static void scatterResults(ArrayRef<Type> types, const uint8_t *from, ArrayRef<void *> results) {
  unsigned offset = 0;
  for (auto [type, result] : llvm::zip_equal(types, results)) {
    FieldLayout layout = *layoutOf(type);
    offset = llvm::alignTo(offset, layout.alignment);
    std::memcpy(result, from + offset, layout.bytes);
    offset += layout.bytes;
  }
}

llvm::Error HostJit::prepare(StringRef function) {
  if (!typeOf(function))
    return fail("there is no function @" + function.str() + " in the compiled module");
  auto &known = impl_->code[function.str()];
  if (known)
    return llvm::Error::success();
  auto code = impl_->machineCode->lookup(kWrapperPrefix.str() + symbolOf(function));
  if (!code)
    return fail("the host's compiler did not produce @" + function.str() + ": " +
                takeFailure(code.takeError()).message);
  known = *code;
  return llvm::Error::success();
}

llvm::Error HostJit::call(StringRef function, ArrayRef<void *> arguments, ArrayRef<void *> results) {
  FunctionType type = typeOf(function);
  if (!type)
    return fail("there is no function @" + function.str() + " in the compiled module");
  if (arguments.size() != type.getNumInputs() || results.size() != type.getNumResults())
    return fail("@" + function.str() + " takes " + std::to_string(type.getNumInputs()) + " arguments and gives " +
                std::to_string(type.getNumResults()) + " results, not " + std::to_string(arguments.size()) + " and " +
                std::to_string(results.size()));
  for (Type part : llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (!layoutOf(part))
      return fail("@" + function.str() +
                  " takes or gives a value that is neither a ranked memref "
                  "nor a scalar; the host cannot pass it");

  if (llvm::Error error = prepare(function))
    return error;
  HostEntry code = impl_->code[function.str()];

  // Several results, memrefs and complex numbers come back in one struct behind a pointer that is
  // the first argument; a lone plain scalar is returned, to where the last packed pointer says.
  bool byStruct = results.size() > 1 || (results.size() == 1 && llvm::isa<MemRefType, ComplexType>(type.getResult(0)));
  std::vector<uint64_t> returned;
  void *returnedAt = nullptr;
  SmallVector<void *> pointers(arguments.begin(), arguments.end()), packed;
  if (byStruct) {
    unsigned bytes = 0;
    for (Type result : type.getResults())
      bytes = llvm::alignTo(bytes, 16) + layoutOf(result)->bytes;
    returned.resize(bytes / 8 + 4);
    returnedAt = reinterpret_cast<void *>(llvm::alignTo(reinterpret_cast<uintptr_t>(returned.data()), 16));
    packed.push_back(&returnedAt);
  }
  for (unsigned i = 0; i < pointers.size(); ++i)
    packed.push_back(llvm::isa<MemRefType>(type.getInput(i)) ? static_cast<void *>(&pointers[i]) : pointers[i]);
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
    StringRef said = call.printedText;
    bool isCheck = said.consume_front(kCheckMark);
    std::string why = isCheck ? said.str() : call.stopReason + (said.empty() ? "" : ": " + said.str());
    return fail("@" + function.str() + " stopped on the host: " + why);
  }
  if (byStruct)
    scatterResults(type.getResults(), static_cast<const uint8_t *>(returnedAt), results);
  for (unsigned i = 0; i < results.size(); ++i)
    if (llvm::isa<MemRefType>(type.getResult(i)))
      impl_->arena->keep(*static_cast<void **>(results[i]));
  impl_->arena->reclaim();
  return llvm::Error::success();
}

} // namespace fuselage
