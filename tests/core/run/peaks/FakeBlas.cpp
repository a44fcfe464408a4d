// A library that looks like OpenBLAS and multiplies slowly: what loads the real one is tried with it.
#include <cstdint>

extern "C" {

const char *openblas_get_config() { return "OpenBLAS 9.9.9 NO_AFFINITY Test"; }

void cblas_sgemm(int, int transposesA, int transposesB, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc) {
  constexpr int transpose = 112;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a[transposesA == transpose ? l * lda + i : i * lda + l] *
               b[transposesB == transpose ? j * ldb + l : l * ldb + j];
      c[i * ldc + j] = alpha * sum + (beta == 0 ? 0 : beta * c[i * ldc + j]);
    }
}
}
