// The baselines of a run: peaks, launches that do nothing, steadiness of the clocks, and who else does a dispatch's
// work.
#pragma once
#include "core/run/Baselines.h"
#include "core/run/peaks/CudaBlas.h"
#include "core/run/peaks/CudaDnn.h"
#include "core/run/peaks/HostBlas.h"
#include "core/run/peaks/MicroKernel.h"
#include "core/run/peaks/PeakCache.h"

namespace fuselage {

struct BaselineOptions {
  /// A copy of as many bytes beside each dispatch, and a library beside each matmul.
  bool baselines = true;
  /// Seconds that those may take in a run, together.
  double secondsForBaselines = 10;
};

class RunBaselines : public Baselines {
public:
  explicit RunBaselines(BaselineOptions options = {}, PeakCache cache = PeakCache())
      : options_(options), cache_(std::move(cache)) {}

  void begin(mlir::MLIRContext &context, Device &device, const RunOptions &options) override;
  void before(mlir::func::FuncOp dispatch) override;
  void after(mlir::func::FuncOp dispatch, std::vector<KernelReport> &rows) override;
  void end(RunReport &report) override;

private:
  /// Who else does a dispatch's work, and what it took before it.
  struct Rival {
    std::string name{}, what{};
    std::function<llvm::Expected<std::vector<double>>(const MatmulTiming &timing)> time;
    std::vector<double> samples{};
  };
  std::optional<Rival> rivalOf(mlir::func::FuncOp dispatch);
  MatmulTiming rivalTiming() const {
    return {.launches = 10, .seconds = 0.5, .coldCaches = run_->coldCaches, .cancelled = run_->cancelled};
  }
  bool cancelled() const { return run_ && run_->cancelled && run_->cancelled->load(); }
  bool hasTime() const { return spent_ < options_.secondsForBaselines && !cancelled(); }
  void measurePeaks();
  void startClocks();
  void addCopy(std::vector<KernelReport> &rows);
  void addLibrary(std::vector<KernelReport> &rows);
  void note(std::string message);
  template <class Measure> void timed(const Measure &measure);

  BaselineOptions options_;
  PeakCache cache_;
  mlir::MLIRContext *context_ = nullptr;
  Device *device_ = nullptr;
  const RunOptions *run_ = nullptr;
  DeviceInfo info_;
  std::optional<message::DevicePeaks<>> peaks_;
  message::ClockCheck<> clocks_;
  std::unique_ptr<MicroKernel> steady_;
  std::unique_ptr<MatmulLibrary> library_;
  std::unique_ptr<ConvolutionLibrary> convolutions_;
  std::optional<Rival> rival_;                                   ///< of the dispatch that is about to run
  std::map<int64_t, std::optional<message::Baseline<>>> copies_; ///< by bytes
  double spent_ = 0;
  std::vector<Diagnostic> notes_;
};

} // namespace fuselage
