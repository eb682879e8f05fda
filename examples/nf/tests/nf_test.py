"""What the tests of the network functions share: packets, captures, and a comparison of every build of a network
function with a model, verdict by verdict and byte by byte.

A model takes (port, packet, now_ns) and returns (verdict, packet after it), the verdict as a string of the
harness's --verdicts file."""
import os
import struct
import subprocess
import sys
import tempfile
from collections import Counter

from elf_notes import Elf
from single_step import count_calls

BUILDS = sys.argv[1:]
PCVS = Counter()  # models count here what the marks count
DROP, FLOOD = "drop", "flood"
NANOSECOND_PCAP = 0xA1B23C4D
HEADER = struct.Struct("<IHHiIII")
RECORD = struct.Struct("<IIII")


def capture(packets, link_type=1, start_ns=1_700_000_000_123_456_789, step_ns=7_654_321, times=None):
    """The bytes of a capture, and the packets' times."""
    times = times or [start_ns + i * step_ns for i in range(len(packets))]
    assert len(times) == len(packets)
    parts = [HEADER.pack(NANOSECOND_PCAP, 2, 4, 0, 0, 65535, link_type)]
    for packet, time in zip(packets, times):
        parts += RECORD.pack(time // 10**9, time % 10**9, len(packet), len(packet)), packet
    return b"".join(parts), times


def read_capture(path):
    """The (time, packet) pairs of a capture."""
    with open(path, "rb") as file:
        data = file.read()
    assert HEADER.unpack_from(data)[0] == NANOSECOND_PCAP
    at, packets = HEADER.size, []
    while at < len(data):
        seconds, nanoseconds, length, original = RECORD.unpack_from(data, at)
        assert length == original
        at += RECORD.size
        packets.append((seconds * 10**9 + nanoseconds, data[at : at + length]))
        at += length
    assert at == len(data)
    return packets


def checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def with_checksum(header):
    header = header[:10] + b"\0\0" + header[12:]
    return header[:10] + struct.pack("!H", checksum(header)) + header[12:]


def ethernet(payload=b"", type=0x0800, source="02:00:00:00:00:01", destination="02:00:00:00:00:02"):
    addresses = bytes.fromhex((destination + source).replace(":", ""))
    return addresses + struct.pack("!H", type) + payload


def ipv4(payload=b"", protocol=17, source=0x0A000001, destination=0x0A000002, ttl=64, options=b"", fragment=0):
    options += b"\0" * (-len(options) % 4)
    header = struct.pack("!BBHHHBBHII", 0x45 + len(options) // 4, 0, 20 + len(options) + len(payload), 7, fragment,
                         ttl, protocol, 0, source, destination)
    return with_checksum(header + options) + payload


def ports_of(port, packets):
    """PORT is the port of all packets, or a list with one for each."""
    ports = [port] * len(packets) if isinstance(port, int) else port
    assert len(ports) == len(packets)
    return ports


def run(build, packets, arguments=(), port=0, **times):
    """Runs a build and returns its verdicts, the packets it sent with their times, and the packets' times."""
    with tempfile.TemporaryDirectory() as folder:
        files = {name: os.path.join(folder, name) for name in ("in", "ports", "out", "verdicts")}
        data, when = capture(packets, **times)
        with open(files["in"], "wb") as file:
            file.write(data)
        by = ["--port", str(port)]
        if not isinstance(port, int):
            with open(files["ports"], "w") as file:
                file.writelines(f"{each}\n" for each in ports_of(port, packets))
            by = ["--port-file", files["ports"]]
        subprocess.run([build, "--pcap", files["in"], "--pcap-out", files["out"], "--verdicts", files["verdicts"],
                        *by, *arguments], check=True)
        with open(files["verdicts"]) as file:
            return file.read().split(), read_capture(files["out"]), when


def outcomes(build, packets, arguments=(), port=0, **times):
    """What becomes of each packet: (port, packet, time, verdict, packet after it or None where it is dropped)."""
    verdicts, sent, when = run(build, packets, arguments, port, **times)
    assert len(verdicts) == len(packets)
    assert len(sent) == len(verdicts) - verdicts.count(DROP)
    sent = iter(sent)
    after = [None if verdict == DROP else next(sent)[1] for verdict in verdicts]
    return list(zip(ports_of(port, packets), packets, when, verdicts, after))


def compare(model, packets, arguments=(), port=0, builds=BUILDS, **times):
    """Holds every build to the model; MODEL() makes a fresh one. Returns the verdicts."""
    assert builds and packets
    step = model()
    arrivals = zip(ports_of(port, packets), packets, capture(packets, **times)[1])
    expected = [step(*arrival) for arrival in arrivals]
    for build in builds:
        verdicts, sent, when = run(build, packets, arguments, port, **times)
        assert len(verdicts) == len(packets)
        for number, (packet, got, (wanted, _)) in enumerate(zip(packets, verdicts, expected)):
            assert got == wanted, f"{build}: packet {number} {packet.hex()}: {got}, expected {wanted}"
        wanted_out = [(time, after) for time, (verdict, after) in zip(when, expected) if verdict != DROP]
        assert len(sent) == len(wanted_out)
        for (got_time, got), (wanted_time, wanted) in zip(sent, wanted_out):
            assert got_time == wanted_time
            assert got == wanted, f"{build}: sent\n{got.hex()}, expected\n{wanted.hex()}"
    return verdicts


def compare_pcvs(model, packets, arguments=(), port=0):
    """Holds what the marks of every build count, packet by packet, to what the model counts."""
    step = model()
    expected = []
    for packet, time in zip(packets, capture(packets)[1]):
        PCVS.clear()
        step(port, packet, time)
        expected.append(+PCVS)
    assert any(expected)
    for build in BUILDS:
        elf = Elf(build)
        with tempfile.NamedTemporaryFile(suffix=".pcap") as file:
            file.write(capture(packets)[0])
            file.flush()
            calls = count_calls([build, "--pcap", file.name, "--port", str(port), *arguments], elf.functions()["nf_process"])
        if calls is None:
            print("PCVs not counted: ptrace is not permitted here")
            return
        assert len(calls) == len(packets)
        for packet, call, wanted in zip(packets, calls, expected):
            counted = Counter()
            for mark in elf.marks():
                counted[mark.name] += call[mark.address] if mark.kind == "pcv" else 0
            assert +counted == wanted, f"{build}: packet {packet.hex()}: {+counted}, expected {wanted}"


def transport_checksum(ip, segment, at):
    """SEGMENT, the TCP or UDP part of the IPv4 packet with the header IP, with its checksum at AT put right."""
    segment = segment[:at] + b"\0\0" + segment[at + 2 :]
    pseudo = ip[12:20] + bytes([0, ip[9]]) + struct.pack("!H", len(segment))
    value = checksum(pseudo + segment + b"\0" * (len(segment) % 2)) or (0xFFFF if ip[9] == UDP else 0)
    return segment[:at] + struct.pack("!H", value) + segment[at + 2 :]


TCP, UDP = 6, 17
CHECKSUM_AT = {TCP: 16, UDP: 6}


def transport(source, destination, protocol=UDP, payload=b"data", with_sum=True, **header):
    """An Ethernet packet of TCP or UDP between two (address, port) pairs."""
    segment = struct.pack("!HH", source[1], destination[1])
    if protocol == TCP:
        segment += struct.pack("!IIBBHHH", 1, 2, 0x50, 0x10, 1000, 0, 0) + payload
    else:
        segment += struct.pack("!HH", 8 + len(payload), 0) + payload
    packet = ipv4(segment, protocol, source[0], destination[0], **header)
    ip = packet[: packet[0] % 16 * 4]
    return ethernet(ip + (transport_checksum(ip, segment, CHECKSUM_AT[protocol]) if with_sum else segment))


def ends(packet):
    """The source, the destination and the protocol of what `transport` makes."""
    segment = 14 + packet[14] % 16 * 4
    source, destination = struct.unpack_from("!II", packet, 26)
    return (source, *struct.unpack_from("!H", packet, segment)), (destination, *struct.unpack_from("!H", packet, segment + 2)), packet[23]


def with_ends(packet, source, destination):
    """The packet with these ends, and its checksums right, made anew."""
    at = 14 + packet[14] % 16 * 4
    total = 14 + struct.unpack_from("!H", packet, 16)[0]
    ip = with_checksum(packet[14:26] + struct.pack("!II", source[0], destination[0]) + packet[34:at])
    segment = struct.pack("!HH", source[1], destination[1]) + packet[at + 4 : total]
    place = CHECKSUM_AT[packet[23]]
    if packet[23] == TCP or segment[place : place + 2] != b"\0\0":
        segment = transport_checksum(ip, segment, place)
    return packet[:14] + ip + segment + packet[total:]


def cut_and_changed(packets, choose, count):
    """Random variants of the packets: cut short, with bytes changed, or both."""
    variants = []
    for _ in range(count):
        packet = bytearray(choose.choice(packets))
        if choose.random() < 0.4:
            packet = packet[: choose.randint(0, len(packet))]
        for _ in range(choose.choice((0, 1, 1, 2, 5))):
            if packet:
                at = choose.randrange(len(packet))
                packet[at] = choose.choice((0, 1, 0x45, 0xFF, packet[at] ^ 1 << choose.randrange(8), choose.randrange(256)))
        variants.append(bytes(packet))
    return variants
