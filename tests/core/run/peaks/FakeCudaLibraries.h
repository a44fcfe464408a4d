// What tests see of the library that looks like cuBLAS and cuDNN.
#pragma once
#include <cstddef>
#include <cstdint>

/// The arguments of the last product, as they came.
struct FakeGemm {
  int transposesA, transposesB, m, n, k, typeA, lda, typeB, ldb, typeC, ldc, batch, computeType, algorithm;
  long long strideA, strideB, strideC;
  const void *a, *b;
  void *c;
};

extern "C" {
using FakeMemory = uint8_t *(*)(const void *address, size_t *bytes);
/// Where addresses of the device lie.
using FakeSetMemory = void (*)(FakeMemory memory);
/// Every call of `symbol` from now on answers `status`; 0 ends that.
using FakeFailAt = void (*)(const char *symbol, int status);
using FakeLastGemm = const FakeGemm *(*)();
/// The calls since the last question, a line each.
using FakeTakeCalls = const char *(*)();
/// Handles and descriptors that are not destroyed.
using FakeLive = int (*)();
}
