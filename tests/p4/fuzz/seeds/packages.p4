parser p_t<H>(out H h);
control c_t<H>(inout H h);
package top<H>(p_t<H> p, c_t<H> c, int n = 3);
struct h_t { bit<8> x; }
parser p(out h_t h) { state start { h.x = 1; transition accept; } }
control c(inout h_t h)(bool b) { apply { if (b) { h.x = 2; } } }
top(p(), c(true)) main;
