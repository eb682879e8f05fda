#include <v1model.p4>
struct h_t { }
struct m_t { }
parser p(packet_in b, out h_t h, inout m_t m, inout standard_metadata_t s) { state start { transition accept; } }
control k(inout h_t h, inout m_t m) { apply { } }
control c(inout h_t h, inout m_t m, inout standard_metadata_t s) { apply { s.egress_spec = 1; } }
control d(packet_out b, in h_t h) { apply { } }
V1Switch(p(), k(), c(), c(), k(), d()) main;
