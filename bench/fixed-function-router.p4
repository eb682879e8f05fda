// A router as switch vendors' abstraction interfaces describe it: ports and VLANs, admission, classification into
// a VRF, IPv4 and IPv6 routes over next hops, interfaces and neighbours, tunnels, access lists and policers on both
// sides. 24 tables.
#include <core.p4>
#include <v1model.p4>

typedef bit<48> mac_t;
typedef bit<10> vrf_t;
typedef bit<16> id_t;

header ethernet_t { mac_t dst; mac_t src; bit<16> type; }
header vlan_t { bit<3> pcp; bit<1> dei; bit<12> vid; bit<16> type; }
header ipv4_t {
  bit<4> version; bit<4> ihl; bit<6> dscp; bit<2> ecn; bit<16> length; bit<16> id; bit<3> flags; bit<13> offset;
  bit<8> ttl; bit<8> protocol; bit<16> checksum; bit<32> src; bit<32> dst;
}
header ipv6_t {
  bit<4> version; bit<6> dscp; bit<2> ecn; bit<20> flow; bit<16> length; bit<8> next; bit<8> hops; bit<128> src;
  bit<128> dst;
}
header ports_t { bit<16> src; bit<16> dst; }
header icmp_t { bit<8> type; bit<8> code; bit<16> checksum; }
header arp_t { bit<16> hardware; bit<16> protocol; bit<16> lengths; bit<16> operation; }
header gre_t { bit<16> flags; bit<16> protocol; }

struct headers_t {
  ethernet_t ethernet;
  vlan_t vlan;
  ipv4_t outer;
  gre_t gre;
  ipv4_t ipv4;
  ipv6_t ipv6;
  ports_t ports;
  icmp_t icmp;
  arp_t arp;
}
struct metadata_t {
  bit<12> vid;
  id_t port_class;
  vrf_t vrf;
  bit<1> admitted;
  id_t nexthop;
  id_t wcmp;
  id_t interface;
  id_t neighbor;
  id_t tunnel;
  bit<6> dscp;
  bit<8> ttl;
  bit<2> colour;
  bit<1> to_cpu;
  bit<1> decapsulated;
  bit<8> acl_class;
}

parser RouterParser(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  state start {
    packet.extract(hdr.ethernet);
    transition select(hdr.ethernet.type) {
      0x8100: vlan;
      0x0800: ipv4;
      0x86dd: ipv6;
      0x0806: arp;
      default: accept;
    }
  }
  state vlan {
    packet.extract(hdr.vlan);
    transition select(hdr.vlan.type) {
      0x0800: ipv4;
      0x86dd: ipv6;
      0x0806: arp;
      default: accept;
    }
  }
  state ipv4 {
    packet.extract(hdr.ipv4);
    transition select(hdr.ipv4.offset, hdr.ipv4.protocol) {
      (0, 6): ports;
      (0, 17): ports;
      (0, 1): icmp;
      (0, 47): gre;
      default: accept;
    }
  }
  state gre {
    packet.extract(hdr.gre);
    transition select(hdr.gre.protocol) {
      0x0800: inner;
      default: accept;
    }
  }
  state inner {
    hdr.outer = hdr.ipv4;
    packet.extract(hdr.ipv4);
    transition select(hdr.ipv4.protocol) {
      6: ports;
      17: ports;
      default: accept;
    }
  }
  state ipv6 {
    packet.extract(hdr.ipv6);
    transition select(hdr.ipv6.next) {
      6: ports;
      17: ports;
      58: icmp;
      default: accept;
    }
  }
  state ports { packet.extract(hdr.ports); transition accept; }
  state icmp { packet.extract(hdr.icmp); transition accept; }
  state arp { packet.extract(hdr.arp); transition accept; }
}

control VerifyHeader(inout headers_t hdr, inout metadata_t meta) {
  apply {
    verify_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
                    { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.length, hdr.ipv4.id,
                      hdr.ipv4.flags, hdr.ipv4.offset, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
                    hdr.ipv4.checksum, HashAlgorithm.csum16);
  }
}

control RouterIngress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  meter(1024, MeterType.bytes) policer;

  action drop() { mark_to_drop(sm); }
  action set_port(id_t class, bit<12> vid) { meta.port_class = class; meta.vid = vid; }
  action set_vrf(vrf_t vrf) { meta.vrf = vrf; }
  action admit() { meta.admitted = 1; }
  action set_nexthop(id_t nexthop) { meta.nexthop = nexthop; }
  action set_wcmp(id_t group) { meta.wcmp = group; }
  action set_interface(id_t interface, id_t neighbor) { meta.interface = interface; meta.neighbor = neighbor; }
  action set_tunnel(id_t tunnel) { meta.tunnel = tunnel; }
  action set_source(mac_t src, bit<9> port) { hdr.ethernet.src = src; sm.egress_spec = port; }
  action set_destination(mac_t dst) { hdr.ethernet.dst = dst; }
  action trap() { meta.to_cpu = 1; drop(); }
  action police(bit<10> index) { policer.execute_meter((bit<32>)index, meta.colour); }
  action classify(bit<8> class) { meta.acl_class = class; }
  action decapsulate() { hdr.outer.setInvalid(); hdr.gre.setInvalid(); meta.decapsulated = 1; }
  action remark(bit<6> dscp) { meta.dscp = dscp; }

  table port { key = { sm.ingress_port: exact; } actions = { set_port; drop; } default_action = drop(); }
  table vlan_membership {
    key = { meta.vid: exact; sm.ingress_port: exact; }
    actions = { NoAction; drop; }
    default_action = drop();
  }
  table pre_ingress_acl {
    key = {
      hdr.ethernet.src: ternary; hdr.ipv4.isValid(): optional; hdr.ipv4.dscp: ternary; sm.ingress_port: optional;
    }
    actions = { set_vrf; NoAction; }
    const default_action = NoAction();
  }
  table vrf_by_port { key = { meta.port_class: exact; } actions = { set_vrf; NoAction; } const default_action = NoAction(); }
  table l3_admit {
    key = { hdr.ethernet.dst: ternary; sm.ingress_port: optional; }
    actions = { admit; NoAction; }
    const default_action = NoAction();
  }
  table tunnel_termination {
    key = { hdr.outer.dst: ternary; hdr.outer.src: ternary; }
    actions = { decapsulate; NoAction; }
    const default_action = NoAction();
  }
  table dscp_map { key = { hdr.ipv4.dscp: exact; } actions = { remark; NoAction; } const default_action = NoAction(); }
  table routes_v4 {
    key = { meta.vrf: exact; hdr.ipv4.dst: lpm; }
    actions = { set_nexthop; set_wcmp; trap; drop; }
    const default_action = drop();
  }
  table routes_v6 {
    key = { meta.vrf: exact; hdr.ipv6.dst: lpm; }
    actions = { set_nexthop; set_wcmp; trap; drop; }
    const default_action = drop();
  }
  table host_routes_v4 {
    key = { meta.vrf: exact; hdr.ipv4.dst: exact; }
    actions = { set_nexthop; trap; NoAction; }
    const default_action = NoAction();
  }
  table wcmp_group { key = { meta.wcmp: exact; } actions = { set_nexthop; NoAction; } const default_action = NoAction(); }
  table nexthop { key = { meta.nexthop: exact; } actions = { set_interface; set_tunnel; drop; } const default_action = drop(); }
  table tunnel { key = { meta.tunnel: exact; } actions = { set_interface; drop; } const default_action = drop(); }
  table neighbor {
    key = { meta.interface: exact; meta.neighbor: exact; }
    actions = { set_destination; trap; }
    const default_action = trap();
  }
  table interface { key = { meta.interface: exact; } actions = { set_source; drop; } const default_action = drop(); }
  table ingress_acl_v4 {
    key = { hdr.ipv4.src: ternary; hdr.ipv4.dst: ternary; hdr.ipv4.protocol: ternary; hdr.ports.dst: range; }
    actions = { drop; trap; police; NoAction; }
    const default_action = NoAction();
  }
  table ingress_acl_v6 {
    key = { hdr.ipv6.src: ternary; hdr.ipv6.dst: ternary; hdr.ipv6.next: ternary; }
    actions = { drop; trap; police; NoAction; }
    const default_action = NoAction();
  }
  table acl_class { key = { meta.acl_class: exact; meta.colour: exact; } actions = { drop; NoAction; } const default_action = NoAction(); }
  table arp_trap { key = { hdr.arp.operation: exact; } actions = { trap; NoAction; } const default_action = NoAction(); }
  table l2_forward { key = { meta.vid: exact; hdr.ethernet.dst: exact; } actions = { set_source; drop; } const default_action = drop(); }
  table class_by_port { key = { meta.port_class: exact; hdr.ethernet.type: ternary; } actions = { classify; NoAction; } const default_action = NoAction(); }

  action route() {
    meta.ttl = hdr.ipv4.isValid() ? hdr.ipv4.ttl : hdr.ipv6.hops;
  }

  apply {
    if (sm.checksum_error == 1) {
      drop();
    } else if (port.apply().hit) {
      if (hdr.vlan.isValid()) {
        meta.vid = hdr.vlan.vid;
        vlan_membership.apply();
      }
      if (!pre_ingress_acl.apply().hit) vrf_by_port.apply();
      class_by_port.apply();
      if (hdr.arp.isValid()) {
        arp_trap.apply();
      } else {
        l3_admit.apply();
        if (meta.admitted == 1 && (hdr.ipv4.isValid() || hdr.ipv6.isValid())) {
          if (hdr.outer.isValid()) tunnel_termination.apply();
          route();
          if (meta.ttl <= 1) {
            trap();
          } else {
            if (hdr.ipv4.isValid()) {
              dscp_map.apply();
              if (!host_routes_v4.apply().hit) routes_v4.apply();
              ingress_acl_v4.apply();
            } else {
              routes_v6.apply();
              ingress_acl_v6.apply();
            }
            if (meta.wcmp != 0) wcmp_group.apply();
            switch (nexthop.apply().action_run) {
              set_tunnel: { tunnel.apply(); }
              default: { }
            }
            if (neighbor.apply().hit) interface.apply();
          }
        } else {
          l2_forward.apply();
        }
      }
      if (meta.acl_class != 0) acl_class.apply();
    }
  }
}

control RouterEgress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
  action drop() { mark_to_drop(sm); }
  action tag(bit<12> vid) {
    hdr.vlan.setValid();
    hdr.vlan.vid = vid;
    hdr.vlan.type = hdr.ethernet.type;
    hdr.ethernet.type = 0x8100;
  }
  action untag() { hdr.ethernet.type = hdr.vlan.type; hdr.vlan.setInvalid(); }
  action remark(bit<6> dscp) { hdr.ipv4.dscp = dscp; }
  table egress_vlan { key = { meta.vid: exact; sm.egress_port: exact; } actions = { tag; untag; NoAction; } const default_action = NoAction(); }
  table egress_dscp { key = { meta.dscp: exact; meta.colour: exact; } actions = { remark; NoAction; } const default_action = NoAction(); }
  table egress_acl {
    key = { sm.egress_port: exact; hdr.ipv4.dst: ternary; hdr.ipv6.dst: ternary; }
    actions = { drop; NoAction; }
    const default_action = NoAction();
  }
  apply {
    if (hdr.ipv4.isValid() && meta.admitted == 1) hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    if (hdr.ipv6.isValid() && meta.admitted == 1) hdr.ipv6.hops = hdr.ipv6.hops - 1;
    if (hdr.ipv4.isValid()) egress_dscp.apply();
    egress_vlan.apply();
    egress_acl.apply();
  }
}

control UpdateHeader(inout headers_t hdr, inout metadata_t meta) {
  apply {
    update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
                    { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.dscp, hdr.ipv4.ecn, hdr.ipv4.length, hdr.ipv4.id,
                      hdr.ipv4.flags, hdr.ipv4.offset, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst },
                    hdr.ipv4.checksum, HashAlgorithm.csum16);
  }
}

control RouterDeparser(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }

V1Switch(RouterParser(), VerifyHeader(), RouterIngress(), RouterEgress(), UpdateHeader(), RouterDeparser()) main;
