// What bench/packets_per_second runs: the tables of examples/l3-routing, exact and lpm, with the IPv4 checksum
// verified and updated and a counter per next hop.
#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> dst;
    bit<48> src;
    bit<16> type;
}
header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<8>  diffserv;
    bit<16> length;
    bit<16> identification;
    bit<3>  flags;
    bit<13> offset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> checksum;
    bit<32> src;
    bit<32> dst;
}
struct headers {
    ethernet_t ethernet;
    ipv4_t     ipv4;
}
struct metadata {
    bit<12> vrf;
    bit<16> bridge_domain;
    bit<16> nexthop;
}

parser parse(packet_in packet, out headers hdr, inout metadata meta, inout standard_metadata_t standard) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            0x0800: ipv4;
            default: accept;
        }
    }
    state ipv4 {
        packet.extract(hdr.ipv4);
        transition accept;
    }
}

control verify_headers(inout headers hdr, inout metadata meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid(),
                        { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.length,
                          hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.offset, hdr.ipv4.ttl,
                          hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
                        hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control ingress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard) {
    counter(1024, CounterType.packets_and_bytes) routed;

    action drop() {
        mark_to_drop(standard);
    }
    action on_miss() {}
    action set_bridge_domain(bit<16> bridge_domain) {
        meta.bridge_domain = bridge_domain;
    }
    action set_vrf(bit<12> vrf) {
        meta.vrf = vrf;
    }
    action set_nexthop(bit<16> nexthop) {
        meta.nexthop = nexthop;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }
    action rewrite(bit<9> port, bit<48> src, bit<48> dst) {
        standard.egress_spec = port;
        hdr.ethernet.src = src;
        hdr.ethernet.dst = dst;
        routed.count((bit<32>) meta.nexthop);
    }
    table port_mapping {
        key = { standard.ingress_port: exact; }
        actions = { set_bridge_domain; on_miss; }
        default_action = on_miss();
        size = 512;
    }
    table bd {
        key = { meta.bridge_domain: exact; }
        actions = { set_vrf; on_miss; }
        default_action = on_miss();
        size = 512;
    }
    table ipv4_fib {
        key = { meta.vrf: exact; hdr.ipv4.dst: exact; }
        actions = { set_nexthop; on_miss; }
        default_action = on_miss();
        size = 1024;
    }
    table ipv4_fib_lpm {
        key = { meta.vrf: exact; hdr.ipv4.dst: lpm; }
        actions = { set_nexthop; on_miss; }
        default_action = on_miss();
        size = 10000;
    }
    table nexthop {
        key = { meta.nexthop: exact; }
        actions = { rewrite; drop; }
        default_action = drop();
        size = 1024;
    }
    apply {
        if (hdr.ipv4.isValid() && standard.checksum_error == 0 && hdr.ipv4.ttl > 1) {
            port_mapping.apply();
            bd.apply();
            if (!ipv4_fib.apply().hit)
                ipv4_fib_lpm.apply();
            nexthop.apply();
        } else {
            drop();
        }
    }
}

control egress(inout headers hdr, inout metadata meta, inout standard_metadata_t standard) {
    apply {}
}

control update_headers(inout headers hdr, inout metadata meta) {
    apply {
        update_checksum(hdr.ipv4.isValid(),
                        { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.length,
                          hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.offset, hdr.ipv4.ttl,
                          hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
                        hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control deparse(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(parse(), verify_headers(), ingress(), egress(), update_headers(), deparse()) main;
