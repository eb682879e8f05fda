// A table of one bit that is looked up twice; a register of two cells; a multicast group.
#include <core.p4>
#include <v1model.p4>

header bits_t { bit<1> a; bit<1> b; bit<6> rest; }
struct headers_t { bits_t h; }
struct metadata_t { bit<1> seen; }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  state start {
    packet.extract(hdr.h);
    transition accept;
  }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  register<bit<1>>(2) cells;
  bit<1> looked_up = 0;
  action set(bit<1> value) { looked_up = value; }
  action drop() { mark_to_drop(sm); }
  table t {
    key = { hdr.h.a: exact; }
    actions = { set; drop; }
    default_action = set(0);
  }
  apply {
    t.apply();
    hdr.h.a = hdr.h.b;
    if (looked_up == 1) t.apply();
    cells.read(meta.seen, (bit<32>)hdr.h.b);
    cells.write((bit<32>)hdr.h.b, looked_up);
    if (meta.seen == 1 && looked_up == 1) sm.mcast_grp = 1;
    cells.read(meta.seen, (bit<32>)hdr.h.b);
    if (meta.seen != looked_up) sm.egress_spec = 3;
  }
}
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(P(), C(), ingress(), egress(), C(), D()) main;
