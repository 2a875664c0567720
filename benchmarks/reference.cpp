// The near-limit reference: one pass of the Perceptron, and of Balanced Winnow with a pair of floats per attribute,
// over CSR rows, with software prefetch. Built by benchmarks/linear.py where a compiler exists.
#include <cmath>
#include <cstdint>

namespace {
constexpr int64_t ahead = 128;
}

extern "C" int64_t perceptron(const int64_t* indptr, const int32_t* indices, const float* values,
                              const int32_t* labels, int64_t rows, float* weights) {
  int64_t mistakes = 0;
  const int64_t end = indptr[rows];
  for (int64_t t = 0; t < rows; ++t) {
    const int64_t a = indptr[t], b = indptr[t + 1];
    float s[4] = {0, 0, 0, 0};
    int64_t k = a;
    for (; k + 4 <= b; k += 4)
      for (int j = 0; j < 4; ++j) {
        if (k + j + ahead < end) __builtin_prefetch(weights + indices[k + j + ahead]);
        s[j] += weights[indices[k + j]] * values[k + j];
      }
    for (; k < b; ++k) s[0] += weights[indices[k]] * values[k];
    const float score = (s[0] + s[1]) + (s[2] + s[3]);
    const float y = labels[t] ? 1.0f : -1.0f;
    if (y * score <= 0) {
      ++mistakes;
      for (k = a; k < b; ++k) weights[indices[k]] += y * values[k];
    }
  }
  return mistakes;
}

extern "C" int64_t balanced_winnow(const int64_t* indptr, const int32_t* indices, const int32_t* labels, int64_t rows,
                                   float factor, float* pairs) {
  int64_t mistakes = 0;
  const int64_t end = indptr[rows];
  for (int64_t t = 0; t < rows; ++t) {
    const int64_t a = indptr[t], b = indptr[t + 1];
    float s[4] = {0, 0, 0, 0};
    int64_t k = a;
    for (; k + 4 <= b; k += 4)
      for (int j = 0; j < 4; ++j) {
        if (k + j + ahead < end) __builtin_prefetch(pairs + 2 * int64_t(indices[k + j + ahead]));
        const float* pair = pairs + 2 * int64_t(indices[k + j]);
        s[j] += pair[0] - pair[1];
      }
    for (; k < b; ++k) s[0] += pairs[2 * int64_t(indices[k])] - pairs[2 * int64_t(indices[k]) + 1];
    const float score = (s[0] + s[1]) + (s[2] + s[3]);
    const float y = labels[t] ? 1.0f : -1.0f;
    if (y * score <= 0) {
      ++mistakes;
      const float up = labels[t] ? factor : 1 / factor, down = 1 / up;
      for (k = a; k < b; ++k) {
        pairs[2 * int64_t(indices[k])] *= up;
        pairs[2 * int64_t(indices[k]) + 1] *= down;
      }
    }
  }
  return mistakes;
}
