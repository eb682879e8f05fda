"""What the counting builds write: which methods a packet of each class calls, and how the calls end."""
import json
import os
import sys
import tempfile

from nf_test import TCP, ethernet, ipv4, run, transport

BUILDS = {os.path.basename(path)[: -len("-count")]: path for path in sys.argv[1:]}
EXTERNAL = 0xC0000201
CLIENT, SERVER = (0x0A000005, 1234), (0xC6336401, 80)


def calls(name, packets, ports, arguments=(), times=None):
    """For each packet the calls from the function's own code, `structure.method=outcome`."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        os.environ["PERFPACT_COUNT_FILE"] = file.name
        run(BUILDS[name], packets, arguments, ports, times=times)
        lines = [json.loads(line) for line in file]
    assert [line["packet"] for line in lines] == list(range(len(packets)))
    return [" ".join(f"{call['structure'].split('@')[0]}.{call['method']}={call['outcome']}" for call in line["calls"] if "parent" not in call)
            for line in lines]


def check(found, *expected):
    assert len(found) == len(expected)
    for number, (calls, wanted) in enumerate(zip(found, expected)):
        assert calls == wanted, f"packet {number}: {calls}, expected {wanted}"


broadcast = ethernet(b"all", destination="ff:ff:ff:ff:ff:ff")
answer = ethernet(b"one", source="02:00:00:00:00:02", destination="02:00:00:00:00:01")
expire = "mac_table.expire=done"
check(calls("bridge", [broadcast, broadcast, answer, b""], [0, 0, 1, 0]),
      f"{expire} mac_table.learn=learned",
      f"{expire} mac_table.learn=known",
      f"{expire} mac_table.learn=learned mac_table.lookup=hit",
      "")

expire, use = "flow_table.expire=done", "flow_table.renew=renewed vector.borrow=ok"
new = "port_pool.allocate=allocated flow_table.add=added vector.borrow=ok"
out, back = transport(CLIENT, SERVER), transport(SERVER, (EXTERNAL, 7))
other = transport((CLIENT[0], 99), SERVER)
for name in ("nat-list", "nat-array"):
    check(calls(name, [out, out, back, transport(SERVER, (EXTERNAL, 8)), other, b""], [0, 0, 1, 1, 0, 0], ["--ports", "7-7"]),
          f"{expire} flow_table.get=miss {new}",
          f"{expire} flow_table.get=hit {use}",
          f"{expire} flow_table.get=hit {use}",
          f"{expire} flow_table.get=miss",
          f"{expire} flow_table.get=miss port_pool.allocate=empty",
          "")
    check(calls(name, [out, other], [0, 0], ["--capacity", "1"]),
          f"{expire} flow_table.get=miss {new}",
          f"{expire} flow_table.get=miss port_pool.allocate=allocated flow_table.add=full port_pool.release=released")

beat, request = transport((0x0A010001, 9), (EXTERNAL, 4000)), transport(CLIENT, (EXTERNAL, 80), TCP)
second = transport((0x0A010002, 9), (EXTERNAL, 4000))
none, expire = "index_allocator.expire=none flow_table.expire=done", "flow_table.expire=done"
died = f"index_allocator.expire=expired maglev.set_alive=died_out vector.borrow=ok hash_map.erase=erased {expire}"
enlisted = "hash_map.get=miss index_allocator.allocate=allocated hash_map.put=inserted maglev.set_alive=changed vector.borrow=ok"
check(calls("load_balancer", [request, beat, request, request, beat, second, request], [0, 1, 0, 0, 1, 1, 0],
            times=[10**18 + ms * 10**6 for ms in (0, 1, 2, 3, 4, 3005, 3006)]),
      f"{none} flow_table.get=miss maglev.lookup=none",
      f"{none} {enlisted}",
      f"{none} flow_table.get=miss maglev.lookup=hit flow_table.add=added vector.borrow=ok vector.borrow=ok",
      f"{none} flow_table.get=hit {use} maglev.is_alive=alive vector.borrow=ok",
      f"{none} hash_map.get=hit index_allocator.renew=renewed vector.borrow=ok",
      f"{died} {enlisted}",
      f"{none} flow_table.get=hit {use} maglev.is_alive=alive vector.borrow=ok")
check(calls("load_balancer", [second, beat, request, beat, request, request], [1, 1, 0, 1, 0, 0], ["--backends", "2"],
            times=[10**18 + ms * 10**6 for ms in (0, 1, 2, 3003, 3004, 6005)])[-1:],
      f"{died} flow_table.get=hit {use} maglev.is_alive=dead maglev.lookup=none")

sized = [ethernet(ipv4(bytes(size), source=source)) for size, source in ((80, 1), (80, 1), (80, 2))]
check(calls("policer", sized, [0, 0, 0], ["--burst", "100", "--rate", "1", "--capacity", "1"]),
      f"{expire} flow_table.get=miss flow_table.add=added token_buckets.take=conforms",
      f"{expire} flow_table.get=hit flow_table.renew=renewed token_buckets.take=exceeds",
      f"{expire} flow_table.get=miss flow_table.add=full")

with tempfile.NamedTemporaryFile("w", suffix=".routes") as file:
    file.write("10.0.0.0/8 1\n")
    file.flush()
    check(calls("trie_router", [ethernet(ipv4()), ethernet(ipv4(destination=1)), ethernet(ipv4(ttl=1))], [0, 0, 0], ["--routes", file.name]),
          "lpm_trie.lookup=hit", "lpm_trie.lookup=miss", "")
