"""Study: which pool of ports is cheaper for the NAT, the list or the array?"""
import re
import statistics

from . import probing
from .formulas import Names
from .page import share, table
from .programs import run, say

POOLS = ("list", "array")
PORTS = 60000
SMALLER = 16     # so much smaller are tables and traffic whose packets are counted
SLOTS = 1 << (5 * PORTS // 4 - 1).bit_length()  # of a flow table for so many flows (docs/formats.md, section 13)
LOOKS = 16       # ports that the array looks at before it asks its list (nflib/src/port_pool_array.c)
ROUNDS = 7       # of measuring time, pools in turns
METRICS = ("instructions", "loads", "stores")
CLASSES = [{"name": "new", "where": "port == 0 and flows.get == miss and flows.add == added"},
           {"name": "known", "where": "port == 0 and flows.get == hit"}]


class Churn:
    """A way in which flows come and go."""

    def __init__(self, name, recipe, new, active, timeout_ms, repetitions):
        self.name, self.recipe, self.new, self.timeout_ms, self.repetitions = name, recipe, new, timeout_ms, repetitions
        self.flows = active + new * timeout_ms  # packets are 1 ms apart, and a flow stays for the timeout

    def arguments(self, files, smaller):
        return ["--pcap", files["pcap"], "--ports", f"1024-{1023 + PORTS // smaller}", "--capacity", PORTS // smaller,
                "--timeout-ms", self.timeout_ms // smaller]

    def pcvs(self):
        """Means over all packets of a steady state: ports and slots are taken at random."""
        taken = self.flows / PORTS
        load = self.flows / SLOTS
        both = 2 * self.new  # keys that go: of the flow from inside and from outside
        asked = taken**LOOKS
        return {"flows.get.get.t": probing.looked_at(load), "flows.add.put.t": 2 * probing.looked_at(load), "flows.add.k": 1,
                "ports.allocate.s": (1 - asked) / (1 - taken), "ports.allocate.f": asked, "ports.allocate.d": asked,
                "flows.expire.e": self.new, "flows.expire.k": self.new, "flows.expire.p": self.new,
                "flows.expire.release.l": self.new * asked, "flows.expire.erase.t": both * probing.stored_looked_at(load),
                "flows.expire.erase.s": both * probing.behind(load), "flows.expire.erase.m": both * (probing.behind(load) - 1)}

    def predict(self, formulas, metric):
        new = self.pcvs()
        known = {**new, "flows.get.get.t": probing.stored_looked_at(self.flows / SLOTS)}
        return float(self.new * formulas["new"][metric].value(new) + (1 - self.new) * formulas["known"][metric].value(known))


CHURNS = (Churn("flows live long", "nat-long-lived", 0.015, 51200, 400000, 1),
          Churn("flows are gone soon", "nat-short-lived", 1, 0, 6000, 4))


def class_of(record):
    outcomes = {call["method"]: call["outcome"] for call in record["calls"]}
    return "known" if outcomes["flow_table_get"] == "hit" else "new"


def measure(build, program, churn, formulas):
    """Means over the second half of the packets; how many cost more than their class's formula says."""
    files = build.recipe(churn.recipe, SMALLER)
    names = Names(build.methods)
    costs, above = {metric: [] for metric in METRICS}, 0
    for record in build.packets(program, churn.arguments(files, SMALLER)):
        pcvs, formula = names.observed(record), formulas[class_of(record)]
        for metric in METRICS:
            cost = record[metric] + sum(call[metric] for call in record["calls"])
            costs[metric].append(cost)
            above += formula[metric].value(pcvs) < cost
    return {metric: statistics.fmean(values[len(values) // 2:]) for metric, values in costs.items()}, above


def nanoseconds(build, programs, churn):
    """A packet, for each pool: medians of rounds in turns."""
    files = build.recipe(churn.recipe, 1)
    taken = {pool: [] for pool in programs}
    for _ in range(ROUNDS):
        for pool, program in programs.items():
            said = run([program, *churn.arguments(files, 1), "--repeat", churn.repetitions]).stdout
            whole, restoring = map(float, re.search(r": ([\d.]+) ns a packet, of which restoring it takes ([\d.]+) ns", said).groups())
            taken[pool].append(whole - restoring)
    return {pool: statistics.median(values) for pool, values in taken.items()}


def study(build, compiler):
    programs = {pool: build.program(f"nat-{pool}", compiler) for pool in POOLS}
    churns = []
    for churn in CHURNS:
        say(f"allocators {compiler}, {churn.name}")
        files = build.recipe(churn.recipe, SMALLER)
        pools = {}
        for pool, program in programs.items():
            formulas = build.formulas(program, CLASSES, churn.arguments(files, SMALLER))
            measured, above = measure(build, program, churn, formulas)
            pools[pool] = {"predicted": {metric: churn.predict(formulas, metric) for metric in METRICS}, "measured": measured,
                           "above": above}
        for pool, taken in nanoseconds(build, programs, churn).items():
            pools[pool]["nanoseconds"] = taken
        churns.append({"churn": churn.name, "new": churn.new, "taken": churn.flows / PORTS, "pools": pools})
    return {"compiler": compiler, "churns": churns}


def cheaper(one, kind, metric):
    return min(POOLS, key=lambda pool: one["pools"][pool][kind][metric])


def faults(result):
    found = []
    for one in result["churns"]:
        for pool, figures in one["pools"].items():
            if figures["above"]:
                found.append(f"{one['churn']}, {pool}: {figures['above']} figures of packets are above what is predicted for their PCVs")
        found += [f"{one['churn']}, {metric}: predicted is that the {cheaper(one, 'predicted', metric)} is cheaper, which it is not"
                  for metric in METRICS if cheaper(one, "predicted", metric) != cheaper(one, "measured", metric)]
    return found


def page(result):
    rows = []
    for one in result["churns"]:
        for metric in METRICS:
            row = [one["churn"], metric]
            for pool in POOLS:
                predicted, measured = (one["pools"][pool][kind][metric] for kind in ("predicted", "measured"))
                row += [f"{predicted:.1f}", f"{measured:.1f} ({share(predicted / measured - 1)})"]
            rows.append([*row, cheaper(one, "predicted", metric), cheaper(one, "measured", metric)])
    times = [[one["churn"], *(f"{one['pools'][pool]['nanoseconds']:.1f}" for pool in POOLS),
              f"{one['pools']['array']['nanoseconds'] / one['pools']['list']['nanoseconds']:.2f}"] for one in result["churns"]]
    long, soon = result["churns"]
    return f"""
## NAT: a list or an array of ports

`nat-list` and `nat-array`, {result['compiler']} -O2; means for each packet. While flows live long, {100 * long['taken']:.0f} of 100 ports are taken and {1000 * long['new']:.0f} packets in 1,000 begin
a flow; where they are gone soon, {100 * soon['taken']:.0f} of 100 are, and each packet begins one. Predicted: ports and slots are taken at random. Counted: {PORTS // SMALLER:,} ports.

""" + table(["", "metric", "list, predicted", "list, measured", "array, predicted", "array, measured", "cheaper, predicted", "cheaper, measured"],
            rows) + f"""
Time is not predicted here. Nanoseconds a packet, {PORTS:,} ports, medians of {ROUNDS} rounds in turns:

""" + table(["", "list", "array", "array : list"], times)
