// Everything a parser can do with two bytes: a lookahead, a select with masks and a range, a loop over a stack
// that can overflow, a varbit, an advance, verify.
#include <core.p4>
#include <v1model.p4>

header kind_t { bit<4> kind; bit<4> more; }
header item_t { bit<4> value; bit<4> last; }
header text_t { varbit<8> text; }
struct headers_t { kind_t kind; item_t[2] items; text_t text; }
struct metadata_t { }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  state start {
    transition select(packet.lookahead<bit<4>>()) {
      0: text;
      0b0100 &&& 0b1100: items;
      9 .. 11: skip;
      default: accept;
    }
  }
  state items {
    packet.extract(hdr.items.next);
    transition select(hdr.items.last.last) {
      15: accept;
      default: items;
    }
  }
  state text {
    packet.extract(hdr.kind);
    packet.extract(hdr.text, (bit<32>)hdr.kind.more);
    transition accept;
  }
  state skip {
    packet.advance(8);
    verify(packet.lookahead<bit<8>>() != 7, error.StackOutOfBounds);
    transition accept;
  }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  apply {
    if (sm.parser_error == error.StackOutOfBounds) {
      sm.egress_spec = 1;
    } else if (hdr.items[1].isValid() && hdr.items[0].value > hdr.items[1].value) {
      sm.egress_spec = 2;
    } else if (hdr.kind.isValid() && hdr.kind.more |+| 12 == 15) {
      mark_to_drop(sm);
    }
  }
}
control egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(P(), C(), ingress(), egress(), C(), D()) main;
