// One table on the destination address: what bench/whole-command grows.
#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}
struct headers {
    ethernet_t ethernet;
}
struct metadata {}

parser parse(packet_in packet, out headers hdr, inout metadata meta, inout standard_metadata_t standard) {
    state start {
        packet.extract(hdr.ethernet);
        transition accept;
    }
}
control verify_headers(inout headers hdr, inout metadata meta) {
    apply {}
}
control ingress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard) {
    action forward(bit<9> port) {
        standard.egress_spec = port;
    }
    action drop() {
        mark_to_drop(standard);
    }
    table switching {
        key = { hdr.ethernet.dst: exact; }
        actions = { forward; drop; }
        default_action = drop();
        size = 1000000;
    }
    apply {
        switching.apply();
    }
}
control egress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard) {
    apply {}
}
control update_headers(inout headers hdr, inout metadata meta) {
    apply {}
}
control deparse(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.ethernet);
    }
}

V1Switch(parse(), verify_headers(), ingress(), egress(), update_headers(), deparse()) main;
