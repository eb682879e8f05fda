bit<8> f(in bit<8> a, inout bit<8> b, out bit<8> c) {
  c = a ^ b;
  b[3:0] = 4w2;
  if (a == 0) { return 1; }
  for (bit<8> i = 0; i < 4; i = i + 1) { if (i == a) break; c += i; }
  for (bit<8> j in 1 .. 3) { if (j == 2) continue; c = c |-| j; }
  return c == 1 ? a : b;
}
T g<T>(in T t) { return t; }
bit<8> h(in bit<8> x) { bit<8> y; bit<8> z = x; return g(f(x, z, y)) + g<bit<8>>(1); }
