// A small router with the table structure of the case study in "Model checking-based performance prediction for
// P4" (Lukács, Pongrácz, Tejfel 2022), section 4.2: every table is ternary, so that a look-up that walks the
// entries costs what the cost models say; only valid IPv4 packets are looked up; ipv4_fib_lpm only when ipv4_fib
// misses. Whatever the tables say, packets leave on port 1, where the latency is measured.
#include <core.p4>
#include <v1model.p4>

typedef bit<48> mac_address_t;
typedef bit<32> ipv4_address_t;
typedef bit<12> vrf_t;
typedef bit<16> bridge_domain_t;
typedef bit<16> nexthop_t;

const bit<16> ETHERTYPE_IPV4 = 0x0800;

header ethernet_t {
    mac_address_t destination;
    mac_address_t source;
    bit<16>       ethertype;
}

header ipv4_t {
    bit<4>         version;
    bit<4>         header_length;
    bit<8>         diffserv;
    bit<16>        total_length;
    bit<16>        identification;
    bit<3>         flags;
    bit<13>        fragment_offset;
    bit<8>         ttl;
    bit<8>         protocol;
    bit<16>        checksum;
    ipv4_address_t source;
    ipv4_address_t destination;
}

struct headers_t {
    ethernet_t ethernet;
    ipv4_t     ipv4;
}

struct metadata_t {
    vrf_t           vrf;
    bridge_domain_t bridge_domain;
    nexthop_t       nexthop;
}

parser RouterParser(packet_in packet,
                    out headers_t hdr,
                    inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ethertype) {
            ETHERTYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition accept;
    }
}

control NoChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    action set_bridge_domain(bridge_domain_t bridge_domain) {
        meta.bridge_domain = bridge_domain;
    }

    action set_vrf(vrf_t vrf) {
        meta.vrf = vrf;
    }

    action set_nexthop(nexthop_t nexthop) {
        meta.nexthop = nexthop;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    action rewrite(mac_address_t source, mac_address_t destination) {
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
    }

    action on_miss() { }

    table port_mapping {
        key = { standard_metadata.ingress_port: ternary; }
        actions = { set_bridge_domain; on_miss; }
        default_action = on_miss();
        size = 10000;
    }

    table bd {
        key = { meta.bridge_domain: ternary; }
        actions = { set_vrf; on_miss; }
        default_action = on_miss();
        size = 20000;
    }

    table ipv4_fib {
        key = {
            meta.vrf: ternary;
            hdr.ipv4.destination: ternary;
        }
        actions = { set_nexthop; on_miss; }
        default_action = on_miss();
        size = 1;
    }

    table ipv4_fib_lpm {
        key = {
            meta.vrf: ternary;
            hdr.ipv4.destination: ternary;
        }
        actions = { set_nexthop; on_miss; }
        default_action = on_miss();
        size = 50000;
    }

    table nexthop {
        key = { meta.nexthop: ternary; }
        actions = { rewrite; on_miss; }
        default_action = on_miss();
        size = 20000;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            port_mapping.apply();
            bd.apply();
            if (!ipv4_fib.apply().hit) {
                ipv4_fib_lpm.apply();
            }
            nexthop.apply();
        }
        standard_metadata.egress_spec = 1;
    }
}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply { }
}

control RouterDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(RouterParser(), NoChecksum(), ingress(), egress(), NoChecksum(), RouterDeparser()) main;
