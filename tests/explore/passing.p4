// Further passes: a packet that goes round as often as it says, shorter each time, and one that comes back with
// what it has learnt.
#include <core.p4>
#include <v1model.p4>

header count_t { bit<2> rounds; bit<6> rest; }
struct headers_t { count_t c; }
struct metadata_t { @field_list(1) bit<6> seen; }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  state start {
    packet.extract(hdr.c);
    transition accept;
  }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  apply {
    if (sm.instance_type == 0 && hdr.c.rest[0:0] == 1) {
      meta.seen = hdr.c.rest;
      resubmit_preserving_field_list(1);
    }
    sm.egress_spec = 1;
    if (meta.seen > 32) sm.egress_spec = 2;
  }
}
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  apply {
    if (hdr.c.isValid() && hdr.c.rounds > 0) {
      if (hdr.c.rest > 40) hdr.c.setInvalid();
      else hdr.c.rounds = hdr.c.rounds - 1;
      recirculate_preserving_field_list(0);
    }
  }
}
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(P(), C(), ingress(), egress(), C(), D()) main;
