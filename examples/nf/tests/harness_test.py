"""The harness says what is wrong with its arguments and files, and does not run."""
import os
import re
import resource
import subprocess
import tempfile

from nf_test import BUILDS, HEADER, RECORD, NANOSECOND_PCAP, capture, ethernet, ipv4

folder = tempfile.TemporaryDirectory()


def file(name, data):
    path = os.path.join(folder.name, name)
    with open(path, "wb") as out:
        out.write(data)
    return path


good = file("good.pcap", capture([ethernet(b"data")])[0])
cut = file("cut.pcap", capture([ethernet(b"data")])[0][:-1])
text = file("text.pcap", b"this is no capture, whatever its name says")
radio = file("radio.pcap", capture([b"data"], link_type=105)[0])
large = file("large.pcap", capture([bytes(2049)])[0])
snapped = file("snapped.pcap", HEADER.pack(NANOSECOND_PCAP, 2, 4, 0, 0, 64, 1) + RECORD.pack(0, 0, 20, 60) + bytes(20))
bad_routes = file("bad.routes", b"10.0.0.0/8 1\n10.0.0.0/33 1\n")
one_port = file("one.ports", b"1\n")
two_ports = file("two.ports", b"1\n2\n")
no_port = file("no.ports", b"")
bad_port = file("bad.ports", b"65535\n")
empty = file("empty.pcap", capture([])[0])
bits_beyond = file("bits.routes", b"10.0.0.1/8 1\n")
default_route = file("default.routes", b"0.0.0.0/0 1\n")
missing = os.path.join(folder.name, "missing")

USAGE, INPUT = 2, 1
any_function = [
    ([], USAGE, "expected one of --pcap and --interfaces"),
    (["--pcap"], USAGE, "--pcap needs a value"),
    (["--pcap", good, "--interfaces", "lo"], USAGE, "expected one of"),
    (["--interfaces", "lo", "--port", "1"], USAGE, "go with --pcap"),
    (["--pcap", good, "--port", "65535"], USAGE, "from 0 to 65534"),
    (["--pcap", good, "--port", "-1"], USAGE, "from 0 to 65534"),
    (["--pcap", good, "--port", "1x"], USAGE, "from 0 to 65534"),
    (["--interfaces", "lo", "--repeat", "1"], USAGE, "go with --pcap"),
    (["--pcap", good, "--port", "1", "--port-file", one_port], USAGE, "expected one of --port and --port-file"),
    (["--pcap", good, "--ticks", missing], USAGE, "--ticks and --pause-ms go with --repeat"),
    (["--pcap", good, "--pause-ms", "5"], USAGE, "--ticks and --pause-ms go with --repeat"),
    (["--pcap", good, "--repeat", "1", "--pause-ms", "long"], USAGE, "--pause-ms takes a number from 0"),
    (["--pcap", good, "--repeat", "1", "--ticks", os.path.join(missing, "ticks")], INPUT, "cannot write"),
    (["--pcap", good, "--repeat", "0"], USAGE, "--repeat takes a number from 1 to 1000000000, not '0'"),
    (["--pcap", good, "--repeat", "1", "--verdicts", missing], USAGE, "--repeat writes neither"),
    (["--pcap", good, "--port-file", missing], INPUT, "missing: No such file"),
    (["--pcap", good, "--port-file", two_ports], INPUT, "two.ports has more lines than"),
    (["--pcap", good, "--port-file", no_port], INPUT, "no.ports:1: expected a packet's port, a number from 0 to 65534, not ''"),
    (["--pcap", good, "--port-file", bad_port], INPUT, "bad.ports:1: expected a packet's port"),
    (["--pcap", empty, "--repeat", "1"], INPUT, "has no packets"),
    (["--pcap", cut, "--repeat", "1"], INPUT, "truncated"),
    (["--pcap", radio, "--repeat", "1"], INPUT, "expected Ethernet"),
    (["--pcap", missing], INPUT, "missing"),
    (["--pcap", text], INPUT, "cannot read the capture"),
    (["--pcap", cut], INPUT, "truncated"),
    (["--pcap", radio], INPUT, "expected Ethernet"),
    (["--pcap", large], INPUT, "packet 1 has 2049 bytes"),
    (["--pcap", snapped], INPUT, "packet 1 has 60 bytes of which 20 were captured"),
    (["--pcap", good, "--pcap-out", missing + "/out"], INPUT, "cannot write"),
    (["--pcap", good, "--verdicts", missing + "/out"], INPUT, "cannot write"),
    (["--pcap", good, "--verdicts", "/dev/full"], INPUT, "cannot write"),
    (["--interfaces", "no-such-port"], INPUT, "there is no interface 'no-such-port'"),
    (["--interfaces", ","], INPUT, "names no interface"),
]
router = [
    (["--pcap", good], USAGE, "expected --routes FILE"),
    (["--pcap", good, "--routes", missing], INPUT, "cannot read"),
    (["--pcap", good, "--routes", folder.name], INPUT, "cannot read"),
    (["--pcap", good, "--routes", bad_routes], INPUT, "bad.routes:2: expected"),
    (["--pcap", good, "--routes", bits_beyond], INPUT, "bits.routes:1: expected"),
]
own = {
    "firewall": any_function + [(["--pcap", good, "--pacp"], USAGE, "takes no argument '--pacp'")],
    "counter": [(["--pcap", good, "x"], USAGE, "takes no argument 'x'")],
    "parser": [(["--pcap", good, "x"], USAGE, "takes no argument 'x'")],
    "flush": [
        (["--pcap", good, "--flush"], USAGE, "expected --flush-after N, not '--flush'"),
        (["--pcap", good, "--flush-after", "0"], USAGE, "from 1 to 1000000, not '0'"),
        (["--pcap", good, "--flush-after", "1k"], USAGE, "from 1 to 1000000, not '1k'"),
    ],
    "static_router": [
        (["--pcap", good, "--rout", "10.0.0.0/8=1"], USAGE, "expected --address or --route, not '--rout'"),
        (["--pcap", good, "--route", "10.0.0.0/8"], USAGE, "--route takes"),
        (["--pcap", good, "--route", "10.0.0.1/8=1"], USAGE, "--route takes"),
        (["--pcap", good, "--route", "10.0.0.0/33=1"], USAGE, "--route takes"),
        (["--pcap", good, "--route", "10.0.0.0/8=65535"], USAGE, "--route takes"),
        (["--pcap", good, "--route"], USAGE, "--route takes"),
        (["--pcap", good, "--address", "10.0.0"], USAGE, "--address takes"),
        (["--pcap", good] + ["--route", "10.0.0.0/8=1"] * 9, USAGE, "more than 8 routes"),
    ],
    "bridge": [
        (["--pcap", good, "--capacitiy", "8"], USAGE, "expected --capacity, --threshold, --timeout-ms or --key, not '--capacitiy'"),
        (["--pcap", good, "--capacity"], USAGE, "--capacity needs a value"),
        (["--pcap", good, "--capacity", "1000"], USAGE, "--capacity takes a power of two up to 16777216, not '1000'"),
        (["--pcap", good, "--capacity", "0"], USAGE, "--capacity takes a power of two"),
        (["--pcap", good, "--threshold", "0"], USAGE, "--threshold takes a number from 1 to 4294967295, not '0'"),
        (["--pcap", good, "--timeout-ms", "1s"], USAGE, "--timeout-ms takes a number from 1 to 1000000000, not '1s'"),
        (["--pcap", good, "--key", "18446744073709551616"], USAGE, "--key takes a number or `random`"),
    ],
    "nat": [
        (["--pcap", good, "--internal", "10.0.0.1"], USAGE, "expected --external, --capacity, --timeout-ms or --ports"),
        (["--pcap", good, "--external", "10.0.0.256"], USAGE, "--external takes an IPv4 address, not '10.0.0.256'"),
        (["--pcap", good, "--capacity", "536870913"], USAGE, "--capacity takes a number from 1 to 536870912"),
        (["--pcap", good, "--timeout-ms", "0"], USAGE, "--timeout-ms takes a number from 1"),
        *[(["--pcap", good, "--ports", wrong], USAGE, "--ports takes FIRST-LAST from 1-1 to 65535-65535, not '" + wrong)
          for wrong in ("0-5", "5", "6-5", "1-65536", "1-2x", "")],
    ],
    "load_balancer": [
        (["--pcap", good, "--service", "here"], USAGE, "--service takes an IPv4 address, not 'here'"),
        (["--pcap", good, "--heartbeat-port", "65536"], USAGE, "--heartbeat-port takes a number from 1 to 65535"),
        (["--pcap", good, "--backends", "0"], USAGE, "--backends takes a number from 1 to 10000"),
        (["--pcap", good, "--backend-timeout-ms", "0"], USAGE, "--backend-timeout-ms takes a number from 1"),
        (["--pcap", good, "--capacity", "0"], USAGE, "--capacity takes a number from 1"),
        (["--pcap", good, "--timeout-ms", "-1"], USAGE, "--timeout-ms takes a number from 1"),
        (["--pcap", good, "--backend", "10.0.0.1"], USAGE, "not '--backend'"),
    ],
    "policer": [
        (["--pcap", good, "--rate", "0"], USAGE, "--rate takes a number from 1 to 1000000000000, not '0'"),
        (["--pcap", good, "--burst", "4294967296"], USAGE, "--burst takes a number from 1 to 4294967295"),
        (["--pcap", good, "--capacity", ""], USAGE, "--capacity takes a number from 1"),
        (["--pcap", good, "--prefix", "33"], USAGE, "--prefix takes a number from 1 to 32"),
        (["--pcap", good, "--speed", "1"], USAGE, "expected --rate, --burst, --capacity or --prefix, not '--speed'"),
    ],
    "lpm_router": router + [(["--pcap", good, "--routes", default_route], INPUT, "default.routes:1: expected")],
    "trie_router": router,
}
assert BUILDS
for build in BUILDS:
    for arguments, status, message in own[os.path.basename(build).split("-")[0]]:
        done = subprocess.run([build, *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, (arguments, done)
        assert message in done.stderr, (arguments, done.stderr)
    assert "usage" in subprocess.run([build, "--help"], check=True, capture_output=True, text=True).stdout


def check_repeat(build):
    """A port of its own for each packet, and as many verdicts as repetitions; the first run is not counted."""
    packets = [ethernet(ipv4(b"data"))] * 3
    ports = file("three.ports", b"0\n1\n2\n")
    done = subprocess.run([build, "--pcap", file("three.pcap", capture(packets)[0]), "--port-file", ports, "--repeat", "5"],
                          check=True, capture_output=True, text=True)
    speed, verdicts = done.stdout.splitlines()
    assert re.fullmatch(r"\d+ packets/s: \d+\.\d ns a packet, of which restoring it takes \d+\.\d ns", speed), speed
    assert verdicts == "10 sent, 0 flooded, 5 dropped", verdicts


def check_memory(build):
    """Tables that do not fit into memory."""
    done = subprocess.run([build, "--pcap", good, "--capacity", str(1 << 24)], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 27, 1 << 27)))
    assert done.returncode == INPUT and "not enough memory for the tables" in done.stderr, (build, done)


for build in BUILDS:
    name = os.path.basename(build).split("-")[0]
    if name == "firewall":
        check_repeat(build)
    if name in ("bridge", "load_balancer", "nat", "policer"):
        check_memory(build)
