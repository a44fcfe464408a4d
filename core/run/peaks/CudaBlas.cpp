#include "core/run/peaks/CudaBlas.h"
#include "core/run/peaks/CudaCalls.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

// From cublas_api.h and library_types.h.
using Handle = void *;
constexpr int noTranspose = 0, transpose = 1, computeInF32 = 68, defaultAlgorithm = -1;

/// X(member, exported symbol, parameters)
#define FUSELAGE_CUBLAS_FUNCTIONS(X)                                                                                   \
  X(create, "cublasCreate_v2", (Handle * handle))                                                                      \
  X(destroy, "cublasDestroy_v2", (Handle handle))                                                                      \
  X(setStream, "cublasSetStream_v2", (Handle handle, void *stream))                                                    \
  X(getProperty, "cublasGetProperty", (int which, int *value))                                                         \
  X(gemm, "cublasGemmEx",                                                                                              \
    (Handle handle, int transposesA, int transposesB, int m, int n, int k, const void *alpha, const void *a,           \
     int typeA, int lda, const void *b, int typeB, int ldb, const void *beta, void *c, int typeC, int ldc,             \
     int computeType, int algorithm))                                                                                  \
  X(gemmStridedBatched, "cublasGemmStridedBatchedEx",                                                                  \
    (Handle handle, int transposesA, int transposesB, int m, int n, int k, const void *alpha, const void *a,           \
     int typeA, int lda, long long strideA, const void *b, int typeB, int ldb, long long strideB, const void *beta,    \
     void *c, int typeC, int ldc, long long strideC, int batch, int computeType, int algorithm))

struct Functions {
#define FUSELAGE_DECLARE(member, symbol, parameters) int(*member) parameters = nullptr;
  FUSELAGE_CUBLAS_FUNCTIONS(FUSELAGE_DECLARE)
#undef FUSELAGE_DECLARE
  bool resolve(void *library) {
    bool isWhole = true;
#define FUSELAGE_RESOLVE(member, symbol, parameters)                                                                   \
  member = reinterpret_cast<int(*) parameters>(dlsym(library, symbol));                                                \
  isWhole &= member != nullptr;
    FUSELAGE_CUBLAS_FUNCTIONS(FUSELAGE_RESOLVE)
#undef FUSELAGE_RESOLVE
    return isWhole;
  }
};

class CudaBlas : public MatmulLibrary {
public:
  CudaBlas(Device &device, const Functions &functions)
      : device_(device), context_(device.cudaContext()), cublas_(functions) {}
  ~CudaBlas() override {
    // Work that nobody waits for any more may still use it.
    if (handle_)
      context_->destroy([handle = handle_, destroy = cublas_.destroy](const CudaDriver &) { destroy(handle); });
  }
  bool start();
  const std::string &name() const override { return name_; }
  bool takes(const MatmulShape &shape) const override;
  std::string describe(const MatmulShape &shape) const override {
    bool isBatch = shape.batch > 1;
    return std::string(isBatch ? "cublasGemmStridedBatchedEx " : "cublasGemmEx ") + shape.text();
  }
  llvm::Expected<std::vector<double>> time(const MatmulShape &shape, const MatmulTiming &timing) override;

private:
  llvm::Error call(const MatmulShape &shape, llvm::ArrayRef<void *> addresses) const;

  Device &device_;
  std::shared_ptr<CudaContext> context_;
  Functions cublas_;
  Handle handle_ = nullptr;
  std::string name_;
};

} // namespace

bool CudaBlas::start() {
  if (llvm::Error error = context_->enter()) {
    llvm::consumeError(std::move(error));
    return false;
  }
  if (cublas_.create(&handle_) != 0) {
    handle_ = nullptr;
    return false;
  }
  if (cublas_.setStream(handle_, context_->stream) != 0)
    return false;
  int version[3] = {};
  for (int part = 0; part < 3; ++part)
    cublas_.getProperty(part, &version[part]);
  name_ = llvm::formatv("cuBLAS {0}.{1}.{2}", version[0], version[1], version[2]);
  return true;
}

bool CudaBlas::takes(const MatmulShape &shape) const {
  constexpr int64_t most = INT32_MAX;
  bool isTyped = cudaElementBytes(shape.type) != 0 && (shape.resultType == shape.type || shape.resultType == "f32");
  // Sums of ones have to stay numbers in f16.
  bool isFinite = shape.resultType != "f16" || shape.k < 65504;
  double bytes = double(cudaElementBytes(shape.type)) * double(shape.batch) *
                     (double(shape.m) * shape.k + double(shape.k) * shape.n) +
                 double(cudaElementBytes(shape.resultType)) * double(shape.batch) * double(shape.m) * shape.n;
  bool fits = bytes < double(uint64_t(4) << 30) &&
              (device_.info().memoryBytes == 0 || bytes < double(device_.info().memoryBytes) / 4);
  return isTyped && isFinite && fits && shape.batch >= 1 && shape.batch < most &&
         std::min({shape.m, shape.n, shape.k}) > 0 && std::max({shape.m, shape.n, shape.k}) < most;
}

/// cuBLAS knows columns only. What lies in memory row by row is for it the transposed matrix, so that it is asked for
/// the transposed result, which is the right operand's transposed by the left one's.
llvm::Error CudaBlas::call(const MatmulShape &shape, llvm::ArrayRef<void *> addresses) const {
  const float alpha = 1, beta = 0;
  int m = int(shape.n), n = int(shape.m), k = int(shape.k);
  int opA = shape.transposesRight ? transpose : noTranspose, opB = shape.transposesLeft ? transpose : noTranspose;
  int lda = shape.transposesRight ? k : m, ldb = shape.transposesLeft ? n : k, ldc = m;
  int type = cudaDataType(shape.type), resultType = cudaDataType(shape.resultType);
  const void *left = addresses[0], *right = addresses[1];
  int status = 0;
  if (shape.batch == 1)
    status = cublas_.gemm(handle_, opA, opB, m, n, k, &alpha, right, type, lda, left, type, ldb, &beta, addresses[2],
                          resultType, ldc, computeInF32, defaultAlgorithm);
  else
    status = cublas_.gemmStridedBatched(handle_, opA, opB, m, n, k, &alpha, right, type, lda, int64_t(k) * m, left,
                                        type, ldb, int64_t(n) * k, &beta, addresses[2], resultType, ldc, int64_t(m) * n,
                                        int(shape.batch), computeInF32, defaultAlgorithm);
  if (status != 0)
    return fail(describe(shape) + " fails with cuBLAS status " + std::to_string(status));
  return llvm::Error::success();
}

llvm::Expected<std::vector<double>> CudaBlas::time(const MatmulShape &shape, const MatmulTiming &timing) {
  CudaCalls calls(device_);
  CudaOperand operands[] = {{shape.batch * shape.m * shape.k, shape.type},
                            {shape.batch * shape.k * shape.n, shape.type},
                            {shape.batch * shape.m * shape.n, shape.resultType}};
  if (llvm::Error error = calls.prepare(operands, timing.coldCaches))
    return error;
  auto times =
      calls.time(timing, describe(shape), [&](llvm::ArrayRef<void *> addresses) { return call(shape, addresses); });
  if (!times)
    return times.takeError();
  if (llvm::Error error = calls.check(double(shape.k), name_, describe(shape)))
    return error;
  return times;
}

std::unique_ptr<MatmulLibrary> openCudaBlas(Device &device, llvm::ArrayRef<const char *> names) {
  return openCudaLibrary<CudaBlas, Functions>(device, names);
}

} // namespace fuselage
