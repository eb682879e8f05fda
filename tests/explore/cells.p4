// Registers that are zero at the start, written and read where the packet says.
#include <core.p4>
#include <v1model.p4>

header bytes_t { bit<8> first; bit<4> second; bit<4> third; }
struct headers_t { bytes_t b; }
struct metadata_t { }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  state start {
    packet.extract(hdr.b);
    transition accept;
  }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  register<bit<8>>(12) length;
  apply {
    bit<8> cell;
    length.write((bit<32>)hdr.b.second, hdr.b.first);
    length.write((bit<32>)hdr.b.third, 1);
    length.read(cell, (bit<32>)hdr.b.second);
    if (cell == 0) sm.egress_spec = 1;
    if (cell > 200) sm.egress_spec = 2;
    length.read(cell, 3);
    if (cell == 7) sm.egress_spec = 3;
  }
}
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(P(), C(), ingress(), egress(), C(), D()) main;
