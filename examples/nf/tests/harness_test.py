"""The harness says what is wrong with its arguments and files, and does not run."""
import os
import subprocess
import tempfile

from nf_test import BUILDS, HEADER, RECORD, NANOSECOND_PCAP, capture, ethernet

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
    "lpm_router": [
        (["--pcap", good], USAGE, "expected --routes FILE"),
        (["--pcap", good, "--routes", missing], INPUT, "cannot read"),
        (["--pcap", good, "--routes", bad_routes], INPUT, "bad.routes:2: expected"),
    ],
}
assert BUILDS
for build in BUILDS:
    for arguments, status, message in own[os.path.basename(build).split("-")[0]]:
        done = subprocess.run([build, *arguments], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, (arguments, done)
        assert message in done.stderr, (arguments, done.stderr)
    assert "usage" in subprocess.run([build, "--help"], check=True, capture_output=True, text=True).stdout
