"""Which network functions and input classes contracts are held to, by which traffic, and what the classes promise."""
import dataclasses
import ipaddress
from collections.abc import Callable

from .maglev import most_looks

COMPILERS = ("gcc", "clang")
METRICS = ("instructions", "loads", "stores")
ENTRIES = 4096        # of a full table whose packets are counted
MOST_ENTRIES = 65535  # of one whose cost is predicted only
BACKENDS = 31         # of the load balancer that are alive after one has died
SLOTS = 3203          # of its ring: the least prime of 100 slots a backend


@dataclasses.dataclass(frozen=True)
class Case:
    """A class of a network function, and packets of this class."""

    name: str
    recipe: str
    arguments: tuple = ()  # of the network function
    smaller: int = 16      # by this the recipe's tables and traffic are made smaller
    worst: Callable = lambda size: {}  # size of the table -> what the class promises of PCVs beyond its file
    sized: bool = False  # what it promises depends on how many entries the table has
    opens: bool = False  # a flow with each packet
    why: str = ""        # why what it promises at worst is above what is measured, where that is much


@dataclasses.dataclass(frozen=True)
class Function:
    """A network function. Its programs are BINARY-gcc-O2, BINARY-clang-O2."""

    name: str
    binary: str
    cases: tuple
    packs: bool = True       # it calls methods of nflib
    options: tuple = ()      # of `perfpact contract`
    has_ports: bool = False     # a pool of ports, one for each flow: --ports
    has_backends: bool = False  # that fill a ring: --backends
    engine: str = "valgrind"  # of `perfpact count`; `step` where starting takes too long under valgrind
    classes: str = ""        # examples/contracts/CLASSES.yaml; BINARY without what follows a hyphen

    @property
    def file(self):
        return f"{self.classes or self.binary.split('-')[0]}.yaml"


def sum_to(count):
    return count * (count + 1) // 2


def keys_that_expire(size, keys):
    """All of a full table whose keys collide, oldest first: each is found at once, and all behind it move up."""
    return {"expire.erase.t": keys * size, "expire.erase.c": 0, "expire.erase.s": keys * sum_to(size),
            "expire.erase.m": keys * sum_to(size - 1), "expire.e": size}


def worst_bridge(size):
    return {"learn.z": 0, "learn.o": 0, "learn.p": 0, "expire.e": size, "expire.s": sum_to(size),
            "expire.m": sum_to(size - 1), "t": size, "c": size - 1}


def worst_nat(size):
    return {**keys_that_expire(size, 2), "expire.k": size, "expire.p": size, "expire.release.l": size, "add.k": 1,
            "add.put.t": 2 * size, "add.put.c": 2 * (size - 1), "allocate.s": 16, "allocate.f": 1, "allocate.d": size,
            "release.l": 1, "t": size, "c": size - 1}


def worst_load_balancer(size):
    # A backend dies and another one comes; no more than one is dead at a time.
    ring = {"b": BACKENDS + 1, "s": SLOTS, "f": SLOTS, "p": most_looks(BACKENDS + 1, SLOTS)}
    filled = {f"{call}.{name}": value for call in ("set_alive", "set_alive#2") for name, value in ring.items()}
    return {**filled, **keys_that_expire(size, 1), "expire.k": 0, "expire.p": 0, "add.k": 0,
            "backend_numbers.erase.m": BACKENDS, "backend_numbers.erase.s": BACKENDS + 1, "backend_numbers.erase.t": BACKENDS + 1,
            "backend_numbers.erase.c": BACKENDS, "backend_numbers.get.t": BACKENDS + 1, "backend_numbers.get.c": BACKENDS,
            "backend_numbers.put.t": BACKENDS + 1, "backend_numbers.put.c": BACKENDS, "t": size, "c": size - 1}


def worst_policer(size):
    # Keys of 32 bits that differ have hashes that differ.
    return {**keys_that_expire(size, 1), "expire.k": 0, "expire.p": 0, "add.k": 0, "t": size, "c": 0}


def deepest(routes):
    """How many nodes of a Patricia trie of these routes (lines `A.B.C.D/LENGTH PORT`) match an address at most."""
    def common(a, b):
        length = min(a[1], b[1], 32 - (a[0] ^ b[0]).bit_length())
        return a[0] >> (32 - length) << (32 - length), length

    networks = [ipaddress.ip_network(line.split()[0]) for line in routes.read_text().splitlines()]
    prefixes = sorted((int(network.network_address), network.prefixlen) for network in networks)
    nodes = {(0, 0), *prefixes, *(common(a, b) for a, b in zip(prefixes, prefixes[1:]))}
    most, above = 0, []
    for node in sorted(nodes):
        while above and common(above[-1], node) != above[-1]:
            above.pop()
        above.append(node)
        most = max(most, len(above))
    return most


def worst_trie(routes):
    return {"l": deepest(routes) + 1}  # the last node looked at does not match


# Of a class whose packets ROUTES leads, its `worst` is given the file of routes in the place of a size.
ROUTES = "--routes"
SMALL = ("--capacity", str(65536 // 16))
SMALL_NAT = ("--capacity", str(60000 // 16))
FULL_BRIDGE = ("--capacity", str(ENTRIES), "--threshold", str(2**32 - 1))
FULL = ("--capacity", str(ENTRIES))
POLICER = ("--rate", "1000", "--burst", "1000000")
# Ports that nobody had: of the array, the first one looked at is free.
NEW_PORTS = {"allocate.s": 1, "allocate.f": 0, "allocate.d": 0}
NAT_CASES = (
    Case("NAT1", "nat1", FULL, 1, worst_nat, sized=True),
    Case("NAT2", "nat2", SMALL_NAT, worst=lambda size: NEW_PORTS, opens=True),
    Case("NAT3", "nat3", SMALL_NAT),
    Case("NAT4", "nat4", SMALL_NAT),
)

FUNCTIONS = (
    Function("bridge", "bridge", (
        Case("Br1", "br1", FULL_BRIDGE, 1, worst_bridge, sized=True),
        Case("Br2", "br2", SMALL),
        Case("Br3", "br3", SMALL),
    )),
    Function("nat (list)", "nat-list", NAT_CASES, has_ports=True),
    Function("nat (array)", "nat-array", NAT_CASES, has_ports=True),
    Function("load balancer", "load_balancer", (
        Case("LB1", "lb1", FULL, 1, worst_load_balancer, sized=True,
             why="at worst the ring is filled twice in a packet, a backend having died and another having come; the "
                 "traffic fills it once"),
        Case("LB2", "lb2", SMALL, opens=True),
        Case("LB3", "lb3", SMALL),
        Case("LB4", "lb4", SMALL),
        Case("LB5", "lb5", SMALL),
    ), has_backends=True),
    Function("LPM router (trie)", "trie_router", (
        Case("LPM1", "lpm1", (ROUTES,), 16, worst_trie),
        Case("LPM2", "lpm2", (ROUTES,), 16, worst_trie),
    )),
    Function("LPM router (DIR-24-8)", "lpm_router", (
        Case("LPM1", "lpm1", (ROUTES,), 64),
        Case("LPM2", "lpm2", (ROUTES,), 64),
    ), packs=False, engine="step"),
    Function("firewall", "firewall", (
        Case("FW1", "fw1"),
        Case("FW2", "fw2"),
        Case("FW3", "fw3"),
    ), packs=False),
    Function("static router", "static_router", (
        Case("SR1", "sr1"),
        Case("SR2", "sr2"),
        Case("SR3", "sr3"),
    ), packs=False, options=("--packet-length", "14..46", "--time-limit", "600")),
    Function("policer", "policer", (
        Case("POL1", "pol1", (*FULL, *POLICER), 1, worst_policer, sized=True),
        Case("POL2", "pol2", (*SMALL, *POLICER)),
        Case("POL3", "pol3", (*SMALL, *POLICER), opens=True),
        Case("POL4", "pol4", (*SMALL, "--rate", "1", "--burst", "60")),
    )),
)

# (predicted, measured) of the BOLT paper (NSDI'19): instructions, memory accesses. Its programs are others.
PUBLISHED = {
    "NAT2": ((1360, 1325), (692, 673)), "NAT3": ((1048, 992), (506, 478)), "NAT4": ((546, 522), (274, 257)),
    "Br2": ((968, 930), (543, 520)), "Br3": ((924, 883), (464, 451)), "LB2": ((1169, 1081), (573, 556)),
    "LB3": ((1514, 1469), (793, 775)), "LB4": ((953, 909), (487, 450)), "LB5": ((738, 714), (403, 395)),
    "LPM1": ((508, 474), (227, 213)), "LPM2": ((502, 468), (225, 211)),
}
