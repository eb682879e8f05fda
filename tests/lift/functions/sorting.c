#include "function.h"

FUNCTION(insertion_sort) {
  for (uint64_t i = 1; i < n; ++i) {
    uint8_t v = p[i];
    uint64_t j = i;
    while (j > 0 && p[j - 1] > v) {
      p[j] = p[j - 1];
      --j;
    }
    p[j] = v;
  }
  return a ^ b;
}

FUNCTION(bubble_sort) {
  int16_t* v = (int16_t*)p;
  uint64_t swaps = 0;
  for (uint64_t end = n; end > 1; --end)
    for (uint64_t i = 1; i < end; ++i)
      if (v[i - 1] > v[i]) {
        int16_t t = v[i];
        v[i] = v[i - 1];
        v[i - 1] = t;
        ++swaps;
      }
  return swaps + a + b;
}

static void quick(int32_t* v, int low, int high) {
  while (low < high) {
    int32_t pivot = v[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (v[i] < pivot) ++i;
      while (v[j] > pivot) --j;
      if (i <= j) {
        int32_t t = v[i];
        v[i++] = v[j];
        v[j--] = t;
      }
    }
    quick(v, low, j);
    low = i;
  }
}
FUNCTION(quick_sort) {
  quick((int32_t*)p, 0, (int)n - 1);
  return a * b;
}

FUNCTION(heap_sort) {
  uint64_t* v = (uint64_t*)p;
  uint64_t size = n & 31;
  for (uint64_t start = size / 2, end = size; end > 1;) {
    if (start > 0) {
      --start;
    } else {
      --end;
      uint64_t t = v[end];
      v[end] = v[0];
      v[0] = t;
    }
    uint64_t root = start;
    while (2 * root + 1 < end) {
      uint64_t child = 2 * root + 1;
      if (child + 1 < end && v[child] < v[child + 1]) ++child;
      if (v[root] >= v[child]) break;
      uint64_t t = v[root];
      v[root] = v[child];
      v[child] = t;
      root = child;
    }
  }
  return a - b;
}

FUNCTION(binary_search) {
  for (uint64_t i = 1; i < n; ++i) p[i] = p[i] < p[i - 1] ? p[i - 1] : p[i];
  uint64_t low = 0, high = n;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (p[middle] < (uint8_t)a)
      low = middle + 1;
    else
      high = middle;
  }
  return low ^ b;
}

FUNCTION(merge_words) {
  uint32_t *x = (uint32_t*)p, *out = (uint32_t*)(p + 256);
  uint64_t half = (n & 63) / 2, i = 0, j = half, k = 0;
  while (i < half && j < 2 * half) out[k++] = x[i] <= x[j] ? x[i++] : x[j++];
  while (i < half) out[k++] = x[i++];
  while (j < 2 * half) out[k++] = x[j++];
  return k + a + b;
}
