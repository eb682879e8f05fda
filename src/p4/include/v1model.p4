// The v1model architecture: the switch that P4_14 describes, as P4_16 declarations.
//
// V1MODEL_VERSION chooses between two variants: from 20200408 on, the index of counters, meters and registers
// has a type of its own and ports are a PortId_t; before, the index is bit<32>.

#ifndef _V1_MODEL_P4_
#define _V1_MODEL_P4_

#include "core.p4"

#ifndef V1MODEL_VERSION
#define V1MODEL_VERSION 20180101
#endif

#if V1MODEL_VERSION >= 20200408
#define PERFPACT_INDEXED <I>
#define PERFPACT_INDEX I
#else
#define PERFPACT_INDEXED
#define PERFPACT_INDEX bit<32>
#endif

match_kind {
    range,      // between two values, both included
    optional,   // equal, or anything
    selector    // no key: input to the hash of an action selector
}

const bit<32> __v1model_version = V1MODEL_VERSION;

#if V1MODEL_VERSION >= 20200408
typedef bit<9> PortId_t;
#define PERFPACT_PORT PortId_t
#else
#define PERFPACT_PORT bit<9>
#endif

// What travels with a packet. Everything is 0 when a packet arrives, apart from ingress_port, packet_length
// and the time.
@metadata
@name("standard_metadata")
struct standard_metadata_t {
    PERFPACT_PORT ingress_port;
    PERFPACT_PORT egress_spec;      // where to send, set in ingress; 511 drops
    PERFPACT_PORT egress_port;      // where it is sent, to be read in egress
    bit<32> instance_type;          // 0 normal, 1 ingress clone, 2 egress clone, 4 recirculated, 5 replicated,
                                    // 6 resubmitted
    bit<32> packet_length;          // bytes
    @alias("queueing_metadata.enq_timestamp")
    bit<32> enq_timestamp;          // microseconds
    @alias("queueing_metadata.enq_qdepth")
    bit<19> enq_qdepth;             // packets
    @alias("queueing_metadata.deq_timedelta")
    bit<32> deq_timedelta;          // microseconds in the queue
    @alias("queueing_metadata.deq_qdepth")
    bit<19> deq_qdepth;
    @alias("intrinsic_metadata.ingress_global_timestamp")
    bit<48> ingress_global_timestamp;   // microseconds
    @alias("intrinsic_metadata.egress_global_timestamp")
    bit<48> egress_global_timestamp;
    @alias("intrinsic_metadata.mcast_grp")
    bit<16> mcast_grp;              // a multicast group, 0 for none; set in ingress
    @alias("intrinsic_metadata.egress_rid")
    bit<16> egress_rid;             // which copy of a multicast packet
    bit<1> checksum_error;          // 1 if a verify_checksum failed
    error parser_error;             // what stopped the parser
    @alias("intrinsic_metadata.priority")
    bit<3> priority;                // the queue
}

enum CounterType {
    packets,
    bytes,
    packets_and_bytes
}

enum MeterType {
    packets,
    bytes
}

// `size` counters; an index beyond them counts nothing.
extern counter PERFPACT_INDEXED {
    counter(bit<32> size, CounterType type);
    void count(in PERFPACT_INDEX index);
}

// A counter for each entry of the table that names it in its property `counters`. It counts by itself when an
// entry matches.
extern direct_counter {
    direct_counter(CounterType type);
    void count();
}

#define V1MODEL_METER_COLOR_GREEN  0
#define V1MODEL_METER_COLOR_YELLOW 1
#define V1MODEL_METER_COLOR_RED    2

// `size` meters with two rates and three colours.
extern meter PERFPACT_INDEXED {
    meter(bit<32> size, MeterType type);
    void execute_meter<T>(in PERFPACT_INDEX index, out T result);
}

// A meter for each entry of the table that names it in its property `meters`.
extern direct_meter<T> {
    direct_meter(MeterType type);
    void read(out T result);
}

// `size` cells, 0 at the start. Reading beyond them leaves `result` as it is, writing does nothing.
#if V1MODEL_VERSION >= 20200408
extern register<T, I> {
#else
extern register<T> {
#endif
    register(bit<32> size);
    @noSideEffects
    void read(out T result, in PERFPACT_INDEX index);
    void write(in PERFPACT_INDEX index, in T value);
}

// Values of a table's property `implementation`: entries refer to members, or to groups of members among which
// a hash of the selector keys chooses.
extern action_profile {
    action_profile(bit<32> size);
}

// A random number from lo to hi, both included.
extern void random<T>(out T result, in T lo, in T hi);

// In ingress: sends `data` to the control plane.
extern void digest<T>(in bit<32> receiver, in T data);

enum HashAlgorithm {
    crc32,
    crc32_custom,
    crc16,
    crc16_custom,
    random,
    identity,
    csum16,
    xor16
}

@deprecated("Please use mark_to_drop(standard_metadata) instead.")
extern void mark_to_drop();
// Sets egress_spec to 511 and mcast_grp to 0; later assignments can undo it.
@pure
extern void mark_to_drop(inout standard_metadata_t standard_metadata);

// result = base + H(data) % max; base if max is 0.
@pure
extern void hash<O, T, D, M>(out O result, in HashAlgorithm algo, in T base, in D data, in M max);

extern action_selector {
    action_selector(HashAlgorithm algorithm, bit<32> size, bit<32> outputWidth);
}

enum CloneType {
    I2E,
    E2E
}

@deprecated("Please use verify_checksum/update_checksum instead.")
extern Checksum16 {
    Checksum16();
    bit<16> get<D>(in D data);
}

// If `condition`: sets checksum_error where the checksum of `data` is not `checksum`.
extern void verify_checksum<T, O>(in bool condition, in T data, in O checksum, HashAlgorithm algo);

// If `condition`: writes the checksum of `data` to `checksum`.
@pure
extern void update_checksum<T, O>(in bool condition, in T data, inout O checksum, HashAlgorithm algo);

// The same over `data` and the part of the packet that was not parsed.
extern void verify_checksum_with_payload<T, O>(in bool condition, in T data, in O checksum, HashAlgorithm algo);
@noSideEffects
extern void update_checksum_with_payload<T, O>(in bool condition, in T data, inout O checksum, HashAlgorithm algo);

// When the control ends: a copy to the ports of a clone session. The last call counts. I2E copies the packet as
// it arrived, E2E as it is sent.
extern void clone(in CloneType type, in bit<32> session);

// When ingress ends: starts again with the packet as it arrived; user metadata in @field_list(index) is kept.
@deprecated("Please use 'resubmit_preserving_field_list' instead")
extern void resubmit<T>(in T data);
extern void resubmit_preserving_field_list(bit<8> index);

// When egress ends: starts again with the packet as the deparser wrote it.
@deprecated("Please use 'recirculate_preserving_field_list' instead")
extern void recirculate<T>(in T data);
extern void recirculate_preserving_field_list(bit<8> index);

@deprecated("Please use 'clone_preserving_field_list' instead")
extern void clone3<T>(in CloneType type, in bit<32> session, in T data);
extern void clone_preserving_field_list(in CloneType type, in bit<32> session, bit<8> index);

// Sends at most this many bytes.
extern void truncate(in bit<32> length);

// Stops the switch if `check` is false; `assume` tells a verifier that it is not.
extern void assert(in bool check);
extern void assume(in bool check);

// Writes a line to the log; `{}` in `msg` stands for the elements of `data`.
extern void log_msg(string msg);
extern void log_msg<T>(string msg, in T data);

// The pipeline: parser, checksum verification, ingress, the traffic manager (clones, multicast, queues), egress,
// checksum update, deparser. An error of the parser does not drop the packet.
parser Parser<H, M>(packet_in b,
                    out H parsedHdr,
                    inout M meta,
                    inout standard_metadata_t standard_metadata);

control VerifyChecksum<H, M>(inout H hdr, inout M meta);

@pipeline
control Ingress<H, M>(inout H hdr,
                      inout M meta,
                      inout standard_metadata_t standard_metadata);

@pipeline
control Egress<H, M>(inout H hdr,
                     inout M meta,
                     inout standard_metadata_t standard_metadata);

control ComputeChecksum<H, M>(inout H hdr, inout M meta);

@deparser
control Deparser<H>(packet_out b, in H hdr);

package V1Switch<H, M>(Parser<H, M> p,
                       VerifyChecksum<H, M> vr,
                       Ingress<H, M> ig,
                       Egress<H, M> eg,
                       ComputeChecksum<H, M> ck,
                       Deparser<H> dep);

#endif
