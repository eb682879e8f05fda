"""Network functions between live interfaces: two veth pairs in a network namespace of their own. Exits with 77,
for skipped, where making one is not permitted."""
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from nf_test import BUILDS, ethernet, ipv4, transport, with_ends

INSIDE = "PERFPACT_INSIDE_NAMESPACE"
SOL_PACKET, PACKET_AUXDATA, OUTGOING = 263, 8, 4


def enter_namespace():
    if not shutil.which("ip") or not shutil.which("unshare"):
        print("skipped: ip or unshare is missing")
        sys.exit(77)
    unshare = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*unshare, "ip", "link", "add", "type", "veth"], stderr=subprocess.DEVNULL).returncode != 0:
        print("skipped: network namespaces with veth pairs are not permitted here")
        sys.exit(77)
    os.execvpe("unshare", [*unshare, sys.executable, "-B", *sys.argv], {**os.environ, INSIDE: "1"})


def open_end(name):
    end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    end.bind((name, 0))
    end.setsockopt(SOL_PACKET, PACKET_AUXDATA, 1)
    end.settimeout(5)
    return end


def receive(end, marker, lost):
    """The next packet with MARKER in it, its 802.1Q tag put back. None before it may have a marker of LOST."""
    while True:
        packet, parts, _, address = end.recvmsg(4096, 256)
        assert address[2] == OUTGOING or not any(other in packet for other in lost), packet.hex()
        if marker not in packet or address[2] == OUTGOING:
            continue
        status, _, _, _, _, tag, kind = struct.unpack("=IIIHHHH", parts[0][2][:20])
        return packet[:12] + struct.pack("!HH", kind, tag) + packet[12:] if status & 0x10 else packet


def exchange(build, steps, arguments=()):
    """Runs BUILD between a0 and b0; each step is (end to send from, packet, end where it must come out, and, if the
    packet is changed, how)."""
    process = subprocess.Popen([build, "--interfaces", "a0,b0", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "forwarding between 2 interfaces\n"
        ends = {name: open_end(name) for name in ("a1", "b1")}
        lost = [packet[-8:] for _, packet, target, *_ in steps if target is None]
        for source, packet, target, *changed in steps:
            ends[source].send(packet)
            if target:
                got = receive(ends[target], packet[-8:], lost)
                wanted = changed[0] if changed else packet
                assert got == wanted, (build, got.hex(), wanted.hex())
        for end in ends.values():
            end.close()
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def main():
    for pair in ("a", "b"):
        subprocess.run(["ip", "link", "add", f"{pair}0", "type", "veth", "peer", "name", f"{pair}1"], check=True)
        for end in "01":
            subprocess.run(["ip", "link", "set", f"{pair}{end}", "up"], check=True)
    time.sleep(0.1)
    for build in BUILDS:
        if os.path.basename(build).startswith("firewall"):
            exchange(build, [
                ("a1", ethernet(ipv4(b"to the b side"[-12:] + b"marker 1")), "b1"),
                ("a1", ethernet(ipv4(b"has options marker 2", options=b"\1")), None),
                ("b1", ethernet(ipv4(b"back again, marker 3")), "a1"),
                ("a1", ethernet(ipv4(b"and forth, marker 4")), "b1"),
            ])
        elif os.path.basename(build).startswith("nat"):
            client, server, external = (0x0A000005, 1234), (0xC6336401, 80), (0xCB007107, 7)
            out = transport(client, server, payload=b"out, marker 7")
            back = transport(server, external, payload=b"back, marker 8")
            unknown = transport(server, (external[0], 8), payload=b"lost, marker 9")
            exchange(build, [
                ("b1", unknown, None),
                ("a1", out, "b1", with_ends(out, external, server)),
                ("b1", back, "a1", with_ends(back, server, client)),
            ], ["--external", "203.0.113.7", "--ports", "7-7"])
        else:
            tagged = ethernet(struct.pack("!HH", 0x6005, 0x0800) + ipv4(b"in a network, marker 5"), 0x8100)
            exchange(build, [("a1", tagged, "b1"), ("b1", ethernet(ipv4(b"untagged, marker 6")), "a1")])


if INSIDE not in os.environ:
    enter_namespace()
main()
