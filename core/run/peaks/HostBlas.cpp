#include "core/run/peaks/HostBlas.h"
#include "core/device/HostProcessor.h"
#include "core/runtime/host/HostArena.h"
#include "core/support/ResultErrors.h"
#include "core/support/TrialRun.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <dlfcn.h>

namespace fuselage {
namespace {

// From the standard's cblas.h.
constexpr int rowMajor = 101, noTranspose = 111, transpose = 112;
using Sgemm = void (*)(int order, int transposesA, int transposesB, int m, int n, int k, float alpha, const float *a,
                       int lda, const float *b, int ldb, float beta, float *c, int ldc);

/// The functions of a loaded library.
struct LoadedBlas {
  Sgemm sgemm = nullptr;
  std::string name;

  /// Null: it is not there, or lacks what is needed.
  static std::optional<LoadedBlas> load(const char *soname, unsigned threads) {
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return std::nullopt;
    LoadedBlas blas;
    blas.sgemm = reinterpret_cast<Sgemm>(dlsym(library, "cblas_sgemm"));
    auto configOf = reinterpret_cast<const char *(*)()>(dlsym(library, "openblas_get_config"));
    auto versionOf = reinterpret_cast<const char *(*)()>(dlsym(library, "bli_info_get_version_str"));
    if (!blas.sgemm || (!configOf && !versionOf))
      return std::nullopt;
    if (configOf) {
      // "OpenBLAS 0.3.21 NO_AFFINITY SkylakeX MAX_THREADS=64"
      auto [product, rest] = llvm::StringRef(configOf()).split(' ');
      blas.name = (product + " " + rest.split(' ').first).str();
    } else
      blas.name = std::string("BLIS ") + versionOf();
    if (auto set = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads")))
      set(int(threads));
    else if (auto set = reinterpret_cast<void (*)(long)>(dlsym(library, "bli_thread_set_num_threads")))
      set(long(threads));
    auto threadsOf = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
    unsigned used = threadsOf ? threadsOf() : threads;
    blas.name += ", " + std::to_string(used) + (used == 1 ? " thread" : " threads");
    return blas;
  }
};

/// One product, again and again, on ones: every element of the result is k.
class Product {
public:
  explicit Product(const MatmulShape &shape)
      : shape_(shape), a_(shape.batch * shape.m * shape.k, 1.0f), b_(shape.batch * shape.k * shape.n, 1.0f),
        c_(shape.batch * shape.m * shape.n, 0.0f) {}

  void run(Sgemm sgemm) {
    for (int64_t i = 0; i < shape_.batch; ++i)
      sgemm(rowMajor, shape_.transposesLeft ? transpose : noTranspose, shape_.transposesRight ? transpose : noTranspose,
            int(shape_.m), int(shape_.n), int(shape_.k), 1.0f, &a_[i * shape_.m * shape_.k],
            int(shape_.transposesLeft ? shape_.m : shape_.k), &b_[i * shape_.k * shape_.n],
            int(shape_.transposesRight ? shape_.k : shape_.n), 0.0f, &c_[i * shape_.m * shape_.n], int(shape_.n));
  }
  void cool() const {
    for (const std::vector<float> *operand : {&a_, &b_, &c_})
      HostArena::evict(operand->data(), operand->size() * sizeof(float));
  }
  bool isRight() const {
    float wanted = float(shape_.k);
    return std::abs(c_.front() - wanted) <= 1e-3f * wanted && std::abs(c_.back() - wanted) <= 1e-3f * wanted;
  }

private:
  MatmulShape shape_;
  std::vector<float> a_, b_, c_;
};

class HostBlas : public MatmulLibrary {
public:
  HostBlas(const char *soname, std::string name) : soname_(soname), name_(std::move(name)) {}
  const std::string &name() const override { return name_; }
  bool takes(const MatmulShape &shape) const override {
    constexpr int64_t most = INT32_MAX;
    return shape.type == "f32" && shape.resultType == "f32" && shape.batch >= 1 &&
           std::min({shape.m, shape.n, shape.k}) > 0 && std::max({shape.m, shape.n, shape.k}) < most &&
           bytesOf(shape) < double(uint64_t(2) << 30);
  }
  std::string describe(const MatmulShape &shape) const override { return "sgemm " + shape.text(); }
  llvm::Expected<std::vector<double>> time(const MatmulShape &shape, const MatmulTiming &timing) override;

private:
  static double bytesOf(const MatmulShape &shape) {
    return 4.0 * double(shape.batch) *
           (double(shape.m) * shape.k + double(shape.k) * shape.n + double(shape.m) * shape.n);
  }
  static void measure(const LoadedBlas &blas, const MatmulShape &shape, const MatmulTiming &timing,
                      llvm::raw_ostream &out);
  std::string soname_, name_;
};

} // namespace

/// Writes the times, as they lie in memory; nothing where the result is wrong.
void HostBlas::measure(const LoadedBlas &blas, const MatmulShape &shape, const MatmulTiming &timing,
                       llvm::raw_ostream &out) {
  using Clock = std::chrono::steady_clock;
  constexpr unsigned warmups = 2;
  Product product(shape);
  std::vector<double> times;
  auto begin = Clock::now();
  for (unsigned i = 0; i < warmups + timing.launches; ++i) {
    bool timed = i >= warmups;
    if (timed && timing.coldCaches)
      product.cool();
    auto start = Clock::now();
    product.run(blas.sgemm);
    auto end = Clock::now();
    if (timed)
      times.push_back(std::chrono::duration<double, std::micro>(end - start).count());
    if (!times.empty() && std::chrono::duration<double>(end - begin).count() > timing.seconds)
      break;
  }
  if (product.isRight())
    out.write(reinterpret_cast<const char *>(times.data()), times.size() * sizeof(double));
}

llvm::Expected<std::vector<double>> HostBlas::time(const MatmulShape &shape, const MatmulTiming &timing) {
  unsigned threads = hostProcessor().threads;
  TrialLimits limits{.seconds = unsigned(60 + timing.seconds * 4) * threads,
                     .bytes = uint64_t(4) << 30,
                     .cancelled = timing.cancelled};
  auto trial = runInCopy(limits, [&](llvm::raw_ostream &out) {
    if (auto blas = LoadedBlas::load(soname_.c_str(), threads))
      measure(*blas, shape, timing, out);
  });
  if (!trial || trial->death)
    return fail(name_ +
                " cannot be timed: " + (trial ? "it " + *trial->death : "the system makes no copy of this process"));
  std::vector<double> times(trial->output.size() / sizeof(double));
  if (times.empty())
    return fail(name_ + " cannot be timed: the result of its " + describe(shape) + " is wrong");
  std::memcpy(times.data(), trial->output.data(), times.size() * sizeof(double));
  return times;
}

std::unique_ptr<MatmulLibrary> openHostBlas(llvm::ArrayRef<const char *> names) {
  for (const char *soname : names) {
    unsigned threads = hostProcessor().threads;
    auto trial = runInCopy({.seconds = 20, .bytes = uint64_t(1) << 30}, [&](llvm::raw_ostream &out) {
      if (auto blas = LoadedBlas::load(soname, threads))
        out << blas->name;
    });
    if (trial && !trial->death && !trial->output.empty() && llvm::all_of(trial->output, llvm::isPrint))
      return std::make_unique<HostBlas>(soname, trial->output);
  }
  return nullptr;
}

} // namespace fuselage
