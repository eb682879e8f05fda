#include <core.p4>
header h_t { bit<4> n; bit<4> rest; }
struct s_t { h_t h; h_t[3] hs; }
parser inner(packet_in p, out h_t h)(bit<8> n) {
  state start { transition select(p.lookahead<bit<8>>()) { 0 &&& 0xf: take; 1 .. 9: skip; default: reject; } }
  state skip { p.advance(8); transition take; }
  state take { p.extract(h); transition accept; }
}
parser outer(packet_in p, out s_t s) {
  value_set<bit<4>>(2) set;
  inner(3) i;
  state start { i.apply(p, s.h); verify(s.h.n != 0, error.NoMatch); transition more; }
  state more {
    p.extract(s.hs.next);
    transition select(s.hs.last.n, s.hs.lastIndex) { (set, _): more; (1, 2): accept; _: reject; }
  }
}
