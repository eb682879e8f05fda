#!/usr/bin/env python3
"""Both engines of `perfpact count` give the same for every build of every example network function.

    nf_engines_test.py PERFPACT FOLDER-OF-BINARIES

The capture has flows that come again, packets cut short and packets with bytes changed."""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

PACKETS = 150
STEP_NS = 40_000_000  # some flows expire where a network function is told to forget soon
ARGUMENTS = {
    "bridge": ["--capacity", "16", "--threshold", "3", "--timeout-ms", "700"],
    "load_balancer": ["--backends", "3", "--backend-timeout-ms", "900", "--timeout-ms", "700"],
    "nat-array": ["--capacity", "6", "--timeout-ms", "700"],
    "nat-list": ["--capacity", "6", "--timeout-ms", "700"],
    "policer": ["--rate", "1000", "--burst", "2000", "--capacity", "4"],
}
ROUTES = "10.0.0.0/8 1\n192.0.2.0/24 0\n192.0.2.128/25 1\n0.0.0.0/1 1\n"


def checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def packet(choose):
    source = 0x0A000000 + choose.randrange(12)
    destination = choose.choice((0xC0000201, 0xC0000281, 0xC6336400 + choose.randrange(3)))
    protocol = choose.choice((6, 17, 17))
    ports = struct.pack("!HH", 1000 + choose.randrange(3), choose.choice((80, 4000)))
    segment = ports + (struct.pack("!HH", 28, 0) if protocol == 17 else struct.pack("!IIHHHH", 1, 0, 0x5002, 100, 0, 0))
    segment += bytes(choose.randrange(256) for _ in range(20))
    options = choose.choice((b"", b"", b"\x44\x08\x05\x00\x00\x00\x00\x00"))
    header = struct.pack("!BBHHHBBHII", 0x45 + len(options) // 4, 0, 20 + len(options) + len(segment), 7, 0, 64, protocol,
                         0, source, destination) + options
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    addresses = struct.pack("!HIHI", 0x0200, choose.randrange(40), 0x0200, choose.randrange(40))
    whole = bytearray(addresses + b"\x08\x00" + header + segment)
    if choose.random() < 0.1:
        whole = whole[: choose.randint(0, len(whole))]
    if whole and choose.random() < 0.1:
        whole[choose.randrange(len(whole))] ^= 1 << choose.randrange(8)
    return bytes(whole)


def write_capture(path):
    choose = random.Random(5)
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for i in range(PACKETS):
            data, time = packet(choose), i * STEP_NS
            file.write(struct.pack("<IIII", 1_700_000_000 + time // 10**9, time % 10**9, len(data), len(data)) + data)


def count(perfpact, engine, binary, arguments):
    command = [perfpact, "count", binary, "--entry", "nf_process", "--json", f"--engine={engine}", "--", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stderr}"
    return done.stdout.splitlines()


def main():
    perfpact, folder = sys.argv[1:]
    binaries = sorted(name for name in os.listdir(folder)
                      if name.rpartition("-")[2] in ("O2", "O3") and os.access(os.path.join(folder, name), os.X_OK))
    assert binaries, f"{folder} has no network functions"
    with tempfile.TemporaryDirectory() as made:
        capture, routes = os.path.join(made, "in.pcap"), os.path.join(made, "routes")
        write_capture(capture)
        with open(routes, "w") as file:
            file.write(ROUTES)
        for binary in binaries:
            name = binary.rsplit("-", 2)[0]
            arguments = ["--pcap", capture, *ARGUMENTS.get(name, [])]
            if name in ("lpm_router", "trie_router"):
                arguments += ["--routes", routes]
            # valgrind 3.19 gives up on debug information of clang 19 (docs/formats.md, section 11).
            path = os.path.join(made, binary)
            subprocess.run(["objcopy", "--strip-debug", os.path.join(folder, binary), path], check=True)
            for port in ("0", "1"):
                stepped = count(perfpact, "step", path, [*arguments, "--port", port])
                other = count(perfpact, "valgrind", path, [*arguments, "--port", port])
                assert len(stepped) == PACKETS
                for number, (a, b) in enumerate(zip(stepped, other, strict=True)):
                    assert a == b, f"{binary}, port {port}, packet {number}:\nstep     {a}\nvalgrind {b}"
            calls = sum(len(json.loads(line)["calls"]) for line in stepped)
            print(f"{binary}: {PACKETS} packets by each port, {calls} calls of methods by port 1")


if __name__ == "__main__":
    main()
