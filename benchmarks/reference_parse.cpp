// The reference for parsing svmlight: a plain loop over bytes, as one writes it by hand; lenient, no exact rounding.
// Built by benchmarks/ingest.py where a compiler exists.
#include <cstdint>

namespace {
const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline bool digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }
}  // namespace

extern "C" int64_t parse(const uint8_t* p, const uint8_t* end, int64_t* indptr, int32_t* indices, float* values,
                         double* labels) {
  int64_t rows = 0, k = 0;
  indptr[0] = 0;
  while (p < end) {
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') ++p;
    int64_t label = 0;
    while (digit(*p)) label = 10 * label + (*p++ - '0');
    labels[rows] = negative ? -double(label) : double(label);
    while (p < end && *p != '\n') {
      if (*p == ' ') {
        ++p;
        continue;
      }
      int64_t index = 0, mantissa = 0;
      int places = 0;
      while (digit(*p)) index = 10 * index + (*p++ - '0');
      ++p;  // the colon
      negative = *p == '-';
      if (*p == '-' || *p == '+') ++p;
      while (digit(*p)) mantissa = 10 * mantissa + (*p++ - '0');
      if (*p == '.') {
        ++p;
        while (digit(*p)) {
          mantissa = 10 * mantissa + (*p++ - '0');
          ++places;
        }
      }
      double value = double(mantissa) / powers[places];
      if ((*p | 32) == 'e') {
        ++p;
        bool down = *p == '-';
        if (*p == '-' || *p == '+') ++p;
        int exponent = 0;
        while (digit(*p)) exponent = 10 * exponent + (*p++ - '0');
        for (; exponent > 0; --exponent) value = down ? value / 10 : value * 10;
      }
      indices[k] = int32_t(index);
      values[k++] = float(negative ? -value : value);
    }
    ++p;
    indptr[++rows] = k;
  }
  return rows;
}
