#include <core.p4>
header h_t { bit<8> a; bit<16> b; }
struct s_t { h_t h; h_t[2] hs; }
extern Cells<T> { Cells(bit<32> n); T read(in bit<32> i); void write(in bit<32> i, in T t); }
control step(inout h_t h)(bit<8> by) { apply { if (by == 0) { exit; } h.a = h.a + by; } }
control c(inout s_t s) {
  step(1) one;
  Cells<bit<8>>(16) cells;
  action set(inout bit<8> x, bit<8> v) { x = v; }
  action stop() { exit; }
  table t {
    key = { s.h.a: exact; s.h.b: ternary @name("b"); s.h.isValid(): exact; }
    actions = { set(s.h.a); stop; NoAction; }
    const default_action = NoAction();
    const entries = { (1, 2 &&& 3, true): set(s.h.a, 4); (_, _, _): stop(); }
  }
  apply {
    one.apply(s.h);
    switch (t.apply().action_run) { set: { s.hs.push_front(1); } stop: default: { return; } }
    if (t.apply().hit) { s.hs[0] = s.h; } else { s.h = { 1, 2 }; s.h = { b = 1, a = 2 }; s.h = {#}; }
    switch (s.h.a) { 1: 2: { s.h.setInvalid(); } default: { cells.write(0, cells.read(1)); } }
  }
}
