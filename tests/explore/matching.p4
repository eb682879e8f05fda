// Constant entries of every kind, what they choose feeding another table; hashes that decide.
#include <core.p4>
#include <v1model.p4>

header byte_t { bit<8> first; bit<8> second; }
struct headers_t { byte_t b; }
struct metadata_t { bit<4> next; bit<16> sum; bit<16> sum_of_sum; }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  state start {
    packet.extract(hdr.b);
    transition accept;
  }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  action next(bit<4> to) { meta.next = to; }
  action drop() { mark_to_drop(sm); }
  action leave(bit<9> port) { sm.egress_spec = port; }
  table prefixes {
    key = { hdr.b.first: lpm; }
    actions = { next; drop; }
    const default_action = drop();
    const entries = {
      0x00 &&& 0x80: next(1);
      0x40 &&& 0xc0: next(2);
      0x44 &&& 0xff: next(3);
      0x80 &&& 0x80: next(1);
    }
  }
  table ranges {
    key = { meta.next: exact; hdr.b.second: range; hdr.b.first: ternary; }
    actions = { leave; NoAction; }
    const default_action = NoAction();
    const entries = {
      (1, 10 .. 20, 0x10 &&& 0x10): leave(1);
      (1, 0 .. 15, _): leave(2);
      (2, _, 0x41): leave(3);
      (4, _, _): leave(4);
    }
  }
  apply {
    prefixes.apply();
    switch (ranges.apply().action_run) {
      leave: { hdr.b.second = hdr.b.second + 1; }
      default: { }
    }
    hash(meta.sum, HashAlgorithm.crc16, (bit<16>)0, { hdr.b.second }, (bit<16>)3);
    if (meta.sum == 2) sm.egress_spec = 7;
    hash(meta.sum_of_sum, HashAlgorithm.crc32, (bit<16>)0, { meta.sum, hdr.b.second & 3 }, (bit<16>)5);
    if (meta.sum_of_sum == 1) sm.egress_spec = 8;
  }
}
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(P(), C(), ingress(), egress(), C(), D()) main;
