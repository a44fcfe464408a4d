// A library that looks like cuBLAS and cuDNN, on the memory of a test: it writes down how it is called, looks only
// where its arguments lead, and answers with an error where they lead beyond a buffer.
#include "FakeCudaLibraries.h"
#include <cmath>
#include <cstring>
#include <map>
#include <string>

namespace {

constexpr int invalidValue = 7, executionFailed = 13;
FakeMemory memoryOf = nullptr;
FakeGemm last{};
std::string calls, told;
std::map<std::string, int> failures;
int live = 0;

int begin(const char *symbol, const std::string &arguments = "") {
  calls += std::string(symbol) + (arguments.empty() ? "" : " " + arguments) + "\n";
  auto failure = failures.find(symbol);
  return failure == failures.end() ? 0 : failure->second;
}

template <class... Numbers> std::string list(Numbers... numbers) {
  std::string text;
  ((text += (text.empty() ? "" : " ") + std::to_string(numbers)), ...);
  return text;
}

size_t widthOf(int type) { return type == 0 ? 4 : 2; }

float bitsToFloat(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Whole numbers that each type holds.
float load(const uint8_t *at, int type) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, widthOf(type));
  if (type == 0)
    return bitsToFloat(bits);
  if (type == 14)
    return bitsToFloat(bits << 16);
  return std::ldexp(float((bits & 0x3ff) | 0x400), int(bits >> 10 & 31) - 25);
}
void store(uint8_t *at, int type, float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (type == 14)
    bits >>= 16;
  else if (type == 2)
    bits = value == 0 ? 0 : ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 0x3ff);
  std::memcpy(at, &bits, widthOf(type));
}

struct Matrix {
  uint8_t *data = nullptr;
  size_t bytes = 0;
  int type = 0;
  long long leading = 0;
  bool isTransposed = false;
  uint8_t *at(long long offset, long long row, long long column) const {
    long long index = offset + (isTransposed ? row * leading + column : column * leading + row);
    bool isInside = data && index >= 0 && (size_t(index) + 1) * widthOf(type) <= bytes;
    return isInside ? data + size_t(index) * widthOf(type) : nullptr;
  }
};

int multiply(const FakeGemm &call) {
  Matrix a{.type = call.typeA, .leading = call.lda, .isTransposed = call.transposesA == 1};
  Matrix b{.type = call.typeB, .leading = call.ldb, .isTransposed = call.transposesB == 1};
  Matrix c{.type = call.typeC, .leading = call.ldc};
  a.data = memoryOf(call.a, &a.bytes);
  b.data = memoryOf(call.b, &b.bytes);
  c.data = memoryOf(call.c, &c.bytes);
  // As cublasGemmEx demands.
  if (call.lda < (a.isTransposed ? call.k : call.m) || call.ldb < (b.isTransposed ? call.n : call.k) ||
      call.ldc < call.m)
    return invalidValue;
  for (int i = 0; i < call.batch; ++i)
    for (int row = 0; row < call.m; ++row)
      for (int column = 0; column < call.n; ++column) {
        float sum = 0;
        for (int k = 0; k < call.k; ++k) {
          const uint8_t *x = a.at(i * call.strideA, row, k), *y = b.at(i * call.strideB, k, column);
          if (!x || !y)
            return executionFailed;
          sum += load(x, call.typeA) * load(y, call.typeB);
        }
        uint8_t *z = c.at(i * call.strideC, row, column);
        if (!z)
          return executionFailed;
        store(z, call.typeC, sum);
      }
  return 0;
}

struct Descriptor {
  int type = 0;
  long long elements = 0;
  int terms = 0; ///< of a filter: what is summed up for an element
};

int make(const char *symbol, void **made) {
  if (int status = begin(symbol))
    return status;
  ++live;
  *made = new Descriptor();
  return 0;
}
int drop(const char *symbol, void *made) {
  begin(symbol);
  --live;
  delete static_cast<Descriptor *>(made);
  return 0;
}

} // namespace

extern "C" {

void fake_set_memory(FakeMemory memory) { memoryOf = memory; }
void fake_fail_at(const char *symbol, int status) {
  if (status == 0)
    failures.erase(symbol);
  else
    failures[symbol] = status;
}
const FakeGemm *fake_last_gemm() { return &last; }
const char *fake_take_calls() {
  told = calls;
  calls.clear();
  return told.c_str();
}
int fake_live() { return live; }

// cuBLAS.
int cublasCreate_v2(void **handle) { return make("cublasCreate_v2", handle); }
int cublasDestroy_v2(void *handle) { return drop("cublasDestroy_v2", handle); }
int cublasSetStream_v2(void *, void *stream) { return stream ? begin("cublasSetStream_v2") : invalidValue; }
int cublasGetProperty(int which, int *value) { return *value = which == 0 ? 12 : which == 1 ? 4 : 1, 0; }

int cublasGemmEx(void *, int transposesA, int transposesB, int m, int n, int k, const void *alpha, const void *a,
                 int typeA, int lda, const void *b, int typeB, int ldb, const void *beta, void *c, int typeC, int ldc,
                 int computeType, int algorithm) {
  last = {transposesA, transposesB, m,           n,         k, typeA, lda, typeB, ldb, typeC,
          ldc,         1,           computeType, algorithm, 0, 0,     0,   a,     b,   c};
  if (int status = begin("cublasGemmEx"))
    return status;
  bool isPlain = *static_cast<const float *>(alpha) == 1 && *static_cast<const float *>(beta) == 0;
  return isPlain ? multiply(last) : invalidValue;
}

int cublasGemmStridedBatchedEx(void *, int transposesA, int transposesB, int m, int n, int k, const void *alpha,
                               const void *a, int typeA, int lda, long long strideA, const void *b, int typeB, int ldb,
                               long long strideB, const void *beta, void *c, int typeC, int ldc, long long strideC,
                               int batch, int computeType, int algorithm) {
  last = {transposesA, transposesB, m,           n,         k,       typeA,   lda,     typeB, ldb, typeC,
          ldc,         batch,       computeType, algorithm, strideA, strideB, strideC, a,     b,   c};
  if (int status = begin("cublasGemmStridedBatchedEx"))
    return status;
  bool isPlain = *static_cast<const float *>(alpha) == 1 && *static_cast<const float *>(beta) == 0;
  return isPlain ? multiply(last) : invalidValue;
}

// cuDNN.
int cudnnCreate(void **handle) { return make("cudnnCreate", handle); }
int cudnnDestroy(void *handle) { return drop("cudnnDestroy", handle); }
int cudnnSetStream(void *, void *stream) { return stream ? begin("cudnnSetStream") : invalidValue; }
int cudnnGetProperty(int which, int *value) { return *value = which == 0 ? 9 : which == 1 ? 1 : 0, 0; }
int cudnnCreateTensorDescriptor(void **tensor) { return make("cudnnCreateTensorDescriptor", tensor); }
int cudnnDestroyTensorDescriptor(void *tensor) { return drop("cudnnDestroyTensorDescriptor", tensor); }
int cudnnSetTensor4dDescriptor(void *tensor, int layout, int type, int n, int c, int h, int w) {
  *static_cast<Descriptor *>(tensor) = {type, 1ll * n * c * h * w, 0};
  return begin("cudnnSetTensor4dDescriptor", list(layout, type, n, c, h, w));
}
int cudnnCreateFilterDescriptor(void **filter) { return make("cudnnCreateFilterDescriptor", filter); }
int cudnnDestroyFilterDescriptor(void *filter) { return drop("cudnnDestroyFilterDescriptor", filter); }
int cudnnSetFilter4dDescriptor(void *filter, int type, int layout, int k, int c, int h, int w) {
  *static_cast<Descriptor *>(filter) = {type, 1ll * k * c * h * w, c * h * w};
  return begin("cudnnSetFilter4dDescriptor", list(type, layout, k, c, h, w));
}
int cudnnCreateConvolutionDescriptor(void **convolution) {
  return make("cudnnCreateConvolutionDescriptor", convolution);
}
int cudnnDestroyConvolutionDescriptor(void *convolution) {
  return drop("cudnnDestroyConvolutionDescriptor", convolution);
}
int cudnnSetConvolution2dDescriptor(void *, int padHeight, int padWidth, int strideHeight, int strideWidth,
                                    int dilationHeight, int dilationWidth, int mode, int computeType) {
  return begin("cudnnSetConvolution2dDescriptor",
               list(padHeight, padWidth, strideHeight, strideWidth, dilationHeight, dilationWidth, mode, computeType));
}
int cudnnSetConvolutionMathType(void *, int mathType) { return begin("cudnnSetConvolutionMathType", list(mathType)); }

struct FakePerformance {
  int algorithm, status;
  float time;
  size_t workspaceBytes;
  int determinism, mathType, reserved[3];
};
int cudnnGetConvolutionForwardAlgorithm_v7(void *, void *, void *, void *, void *, int wanted, int *count,
                                           FakePerformance *found) {
  if (int status = begin("cudnnGetConvolutionForwardAlgorithm_v7"))
    return status;
  if (wanted < 2)
    return invalidValue;
  found[0] = {
      .algorithm = 4, .status = 9, .time = -1, .workspaceBytes = 0, .determinism = 0, .mathType = 0, .reserved = {}};
  found[1] = {
      .algorithm = 6, .status = 0, .time = 1, .workspaceBytes = 96, .determinism = 0, .mathType = 1, .reserved = {}};
  return *count = 2, 0;
}
int cudnnGetConvolutionForwardWorkspaceSize(void *, void *, void *, void *, void *, int algorithm, size_t *bytes) {
  return *bytes = 96, begin("cudnnGetConvolutionForwardWorkspaceSize", list(algorithm));
}
int cudnnConvolutionForward(void *, const void *, void *image, const void *imageData, void *filter,
                            const void *filterData, void *, int algorithm, void *workspace, size_t workspaceBytes,
                            const void *, void *result, void *resultData) {
  if (int status = begin("cudnnConvolutionForward", list(algorithm, workspaceBytes)))
    return status;
  auto fits = [](void *descriptor, const void *address, size_t *bytes) {
    auto *shape = static_cast<Descriptor *>(descriptor);
    uint8_t *data = memoryOf(address, bytes);
    return data && *bytes == size_t(shape->elements) * widthOf(shape->type) ? data : nullptr;
  };
  size_t bytes = 0;
  bool fit = fits(image, imageData, &bytes) && fits(filter, filterData, &bytes) && memoryOf(workspace, &bytes) &&
             bytes >= workspaceBytes;
  uint8_t *out = fits(result, resultData, &bytes);
  if (!fit || !out)
    return invalidValue;
  auto *shape = static_cast<Descriptor *>(result);
  for (long long i = 0; i < shape->elements; ++i)
    store(out + i * widthOf(shape->type), shape->type == 9 ? 14 : shape->type,
          float(static_cast<Descriptor *>(filter)->terms));
  return 0;
}
}
