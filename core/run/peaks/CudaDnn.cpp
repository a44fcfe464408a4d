#include "core/run/peaks/CudaDnn.h"
#include "core/run/peaks/CudaCalls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

// From cudnn_ops.h and cudnn_cnn.h, the same in versions 8 and 9.
using Handle = void *;
using Descriptor = void *;
constexpr int layoutNchw = 0, layoutNhwc = 1, crossCorrelation = 1, float32 = 0, mathTensorOps = 1, mathFma = 3,
              notSupported = 9;
struct Performance {
  int algorithm, status;
  float time;
  size_t workspaceBytes;
  int determinism, mathType;
  int reserved[3];
};

/// X(member, exported symbol, parameters)
#define FUSELAGE_CUDNN_FUNCTIONS(X)                                                                                    \
  X(create, "cudnnCreate", (Handle * handle))                                                                          \
  X(destroy, "cudnnDestroy", (Handle handle))                                                                          \
  X(setStream, "cudnnSetStream", (Handle handle, void *stream))                                                        \
  X(getProperty, "cudnnGetProperty", (int which, int *value))                                                          \
  X(createTensor, "cudnnCreateTensorDescriptor", (Descriptor * tensor))                                                \
  X(setTensor, "cudnnSetTensor4dDescriptor", (Descriptor tensor, int layout, int type, int n, int c, int h, int w))    \
  X(destroyTensor, "cudnnDestroyTensorDescriptor", (Descriptor tensor))                                                \
  X(createFilter, "cudnnCreateFilterDescriptor", (Descriptor * filter))                                                \
  X(setFilter, "cudnnSetFilter4dDescriptor", (Descriptor filter, int type, int layout, int k, int c, int h, int w))    \
  X(destroyFilter, "cudnnDestroyFilterDescriptor", (Descriptor filter))                                                \
  X(createConvolution, "cudnnCreateConvolutionDescriptor", (Descriptor * convolution))                                 \
  X(setConvolution, "cudnnSetConvolution2dDescriptor",                                                                 \
    (Descriptor convolution, int padHeight, int padWidth, int strideHeight, int strideWidth, int dilationHeight,       \
     int dilationWidth, int mode, int computeType))                                                                    \
  X(setMathType, "cudnnSetConvolutionMathType", (Descriptor convolution, int mathType))                                \
  X(destroyConvolution, "cudnnDestroyConvolutionDescriptor", (Descriptor convolution))                                 \
  X(getAlgorithms, "cudnnGetConvolutionForwardAlgorithm_v7",                                                           \
    (Handle handle, Descriptor image, Descriptor filter, Descriptor convolution, Descriptor result, int wanted,        \
     int *count, Performance *found))                                                                                  \
  X(getWorkspace, "cudnnGetConvolutionForwardWorkspaceSize",                                                           \
    (Handle handle, Descriptor image, Descriptor filter, Descriptor convolution, Descriptor result, int algorithm,     \
     size_t *bytes))                                                                                                   \
  X(forward, "cudnnConvolutionForward",                                                                                \
    (Handle handle, const void *alpha, Descriptor image, const void *imageData, Descriptor filter,                     \
     const void *filterData, Descriptor convolution, int algorithm, void *workspace, size_t workspaceBytes,            \
     const void *beta, Descriptor result, void *resultData))

struct Functions {
#define FUSELAGE_DECLARE(member, symbol, parameters) int(*member) parameters = nullptr;
  FUSELAGE_CUDNN_FUNCTIONS(FUSELAGE_DECLARE)
#undef FUSELAGE_DECLARE
  bool resolve(void *library) {
    bool isWhole = true;
#define FUSELAGE_RESOLVE(member, symbol, parameters)                                                                   \
  member = reinterpret_cast<int(*) parameters>(dlsym(library, symbol));                                                \
  isWhole &= member != nullptr;
    FUSELAGE_CUDNN_FUNCTIONS(FUSELAGE_RESOLVE)
#undef FUSELAGE_RESOLVE
    return isWhole;
  }
};

/// What a convolution is called with; it goes with this.
class Problem {
public:
  explicit Problem(const Functions &cudnn) : cudnn_(cudnn) {}
  Problem(const Problem &) = delete;
  ~Problem() {
    for (Descriptor tensor : {image, result})
      if (tensor)
        cudnn_.destroyTensor(tensor);
    if (filter)
      cudnn_.destroyFilter(filter);
    if (convolution)
      cudnn_.destroyConvolution(convolution);
  }
  /// The status of the call that failed; 0: none did.
  int set(const ConvolutionShape &shape);
  int choose(Handle handle);

  Descriptor image = nullptr, filter = nullptr, convolution = nullptr, result = nullptr;
  int algorithm = 0;
  size_t workspaceBytes = 0;
  bool isF32 = false;

private:
  const Functions &cudnn_;
};

class CudaDnn : public ConvolutionLibrary {
public:
  CudaDnn(Device &device, const Functions &functions)
      : device_(device), context_(device.cudaContext()), cudnn_(functions) {}
  ~CudaDnn() override {
    if (handle_)
      context_->destroy([handle = handle_, destroy = cudnn_.destroy](const CudaDriver &) { destroy(handle); });
  }
  bool start();
  const std::string &name() const override { return name_; }
  bool takes(const ConvolutionShape &shape) const override;
  std::string describe(const ConvolutionShape &shape) const override {
    return "cudnnConvolutionForward " + shape.text();
  }
  llvm::Expected<std::vector<double>> time(const ConvolutionShape &shape, const MatmulTiming &timing) override;

private:
  llvm::Error refusal(const ConvolutionShape &shape, int status) const {
    return fail(describe(shape) + " fails with cuDNN status " + std::to_string(status));
  }

  Device &device_;
  std::shared_ptr<CudaContext> context_;
  Functions cudnn_;
  Handle handle_ = nullptr;
  std::string name_;
};

} // namespace

/// As cudnnDataType_t numbers it.
static int typeNumber(llvm::StringRef type) {
  return llvm::StringSwitch<int>(type).Case("f32", float32).Case("f16", 2).Case("bf16", 9).Default(-1);
}

int Problem::set(const ConvolutionShape &shape) {
  int layout = shape.channelsLast ? layoutNhwc : layoutNchw, type = typeNumber(shape.type);
  isF32 = type == float32;
  int channels = int(shape.channels), filters = int(shape.filters), images = int(shape.images);
  // The first call that fails ends it: || stops there.
  int status = 0;
  auto failed = [&](int code) { return (status = code) != 0; };
  bool any =
      failed(cudnn_.createTensor(&image)) ||
      failed(cudnn_.setTensor(image, layout, type, images, channels, int(shape.height), int(shape.width))) ||
      failed(cudnn_.createFilter(&filter)) ||
      failed(
          cudnn_.setFilter(filter, type, layout, filters, channels, int(shape.filterHeight), int(shape.filterWidth))) ||
      failed(cudnn_.createConvolution(&convolution)) ||
      failed(cudnn_.setConvolution(convolution, 0, 0, int(shape.strideHeight), int(shape.strideWidth),
                                   int(shape.dilationHeight), int(shape.dilationWidth), crossCorrelation, float32)) ||
      failed(cudnn_.setMathType(convolution, type == float32 ? mathFma : mathTensorOps)) ||
      failed(cudnn_.createTensor(&result)) ||
      failed(cudnn_.setTensor(result, layout, typeNumber(shape.resultType), images, filters, int(shape.outHeight()),
                              int(shape.outWidth())));
  return any ? status : 0;
}

int Problem::choose(Handle handle) {
  Performance found[8] = {};
  int count = 0;
  if (int status = cudnn_.getAlgorithms(handle, image, filter, convolution, result, 8, &count, found))
    return status;
  for (const Performance &each : llvm::ArrayRef(found, std::clamp(count, 0, 8)))
    if (each.status == 0 &&
        cudnn_.getWorkspace(handle, image, filter, convolution, result, each.algorithm, &workspaceBytes) == 0) {
      algorithm = each.algorithm;
      // Of one number there may be several, which differ in their instructions; for f32 that could be tf32.
      return isF32 ? 0 : cudnn_.setMathType(convolution, each.mathType);
    }
  return notSupported;
}

bool CudaDnn::start() {
  if (llvm::Error error = context_->enter()) {
    llvm::consumeError(std::move(error));
    return false;
  }
  if (cudnn_.create(&handle_) != 0) {
    handle_ = nullptr;
    return false;
  }
  if (cudnn_.setStream(handle_, context_->stream) != 0)
    return false;
  int version[3] = {};
  for (int part = 0; part < 3; ++part)
    cudnn_.getProperty(part, &version[part]);
  name_ = llvm::formatv("cuDNN {0}.{1}.{2}", version[0], version[1], version[2]);
  return true;
}

bool CudaDnn::takes(const ConvolutionShape &shape) const {
  constexpr int64_t most = INT32_MAX;
  auto sizes = {shape.images,  shape.channels,     shape.height,     shape.width,
                shape.filters, shape.filterHeight, shape.filterWidth};
  if (std::min(sizes) < 1 || std::max(sizes) >= most || shape.outHeight() < 1 || shape.outWidth() < 1)
    return false;
  double elements = double(shape.images) * shape.channels * shape.height * shape.width +
                    double(shape.filters) * shape.channels * shape.filterHeight * shape.filterWidth +
                    double(shape.images) * shape.filters * shape.outHeight() * shape.outWidth();
  double bytes = elements * cudaElementBytes(shape.type), memory = double(device_.info().memoryBytes);
  bool isFinite = shape.resultType != "f16" || shape.channels * shape.filterHeight * shape.filterWidth < 65504;
  return cudaElementBytes(shape.type) != 0 && shape.resultType == shape.type && isFinite &&
         bytes < double(uint64_t(4) << 30) && (memory == 0 || bytes < memory / 4);
}

llvm::Expected<std::vector<double>> CudaDnn::time(const ConvolutionShape &shape, const MatmulTiming &timing) {
  if (llvm::Error error = context_->enter())
    return error;
  Problem problem(cudnn_);
  if (int status = problem.set(shape))
    return refusal(shape, status);
  if (int status = problem.choose(handle_))
    return refusal(shape, status);
  CudaCalls calls(device_);
  CudaOperand operands[] = {{shape.images * shape.channels * shape.height * shape.width, shape.type},
                            {shape.filters * shape.channels * shape.filterHeight * shape.filterWidth, shape.type},
                            {shape.images * shape.filters * shape.outHeight() * shape.outWidth(), shape.resultType}};
  if (llvm::Error error = calls.prepare(operands, timing.coldCaches))
    return error;
  auto workspace = device_.allocate(problem.workspaceBytes);
  if (!workspace)
    return workspace.takeError();
  void *scratch = reinterpret_cast<void *>(static_cast<CudaBuffer *>(workspace->get())->address);
  auto times = calls.time(timing, describe(shape), [&](llvm::ArrayRef<void *> addresses) -> llvm::Error {
    const float alpha = 1, beta = 0;
    if (int status = cudnn_.forward(handle_, &alpha, problem.image, addresses[0], problem.filter, addresses[1],
                                    problem.convolution, problem.algorithm, scratch, problem.workspaceBytes, &beta,
                                    problem.result, addresses[2]))
      return refusal(shape, status);
    return llvm::Error::success();
  });
  if (!times)
    return times.takeError();
  if (llvm::Error error =
          calls.check(double(shape.channels * shape.filterHeight * shape.filterWidth), name_, describe(shape)))
    return error;
  return times;
}

std::unique_ptr<ConvolutionLibrary> openCudaDnn(Device &device, llvm::ArrayRef<const char *> names) {
  return openCudaLibrary<CudaDnn, Functions>(device, names);
}

} // namespace fuselage
