"""Study: at which threshold should the bridge's table of addresses take a new key?"""
from . import probing
from .formulas import Names
from .page import share, table
from .programs import say

SLOTS = 2 * 65536
STATIONS = 65000
THRESHOLDS = (1, 2, 3, 4, 6, 8, 12, 16, 24)
NEVER = ("--threshold", str(2**32 - 1))
SMALLER = 16          # so much is the table smaller in which rehashing is measured
REHASH_AT = (3, 5, 8)
CLASSES = [{"name": "known", "where": "macs.learn == known and macs.lookup == hit"},
           {"name": "rehashed", "where": "macs.learn == rehashed"}]


def cost(record):
    return record["instructions"] + sum(call["instructions"] for call in record["calls"])


def thresholds(build, program, formula):
    """Uniform traffic between stations that are known: what it costs, and how many lie beyond each threshold."""
    files = build.recipe("bridge-uniform", 4)
    stations, slots = STATIONS // 4, SLOTS // 4
    names = Names(build.methods)
    dearest, beyond, above, packets = dict.fromkeys(THRESHOLDS, 0), dict.fromkeys(THRESHOLDS, 0), 0, 0
    for record in build.packets(program, ["--pcap", files["pcap"], "--capacity", slots // 2, *NEVER]):
        pcvs = names.observed(record)
        outcomes = {call["method"]: call["outcome"] for call in record["calls"]}
        if outcomes.get("mac_table_learn") == "learned":
            for threshold in THRESHOLDS:
                beyond[threshold] += pcvs["macs.learn.t"] > threshold
        elif outcomes.get("mac_table_lookup") == "hit":
            packets += 1
            above += formula.value(pcvs) < cost(record)
            for threshold in THRESHOLDS:
                if max(pcvs["macs.learn.t"], pcvs["macs.lookup.t"]) <= threshold:
                    dearest[threshold] = max(dearest[threshold], cost(record))
    load = stations / slots
    rows = [{"threshold": threshold, "predicted": int(formula.value({"macs.learn.t": threshold, "macs.lookup.t": threshold})),
             "measured": dearest[threshold], "beyond_predicted": probing.stored_beyond(load, threshold),
             "beyond_measured": beyond[threshold] / stations} for threshold in THRESHOLDS]
    return {"stations": stations, "slots": slots, "packets": packets, "above": above, "rows": rows}


def rehashes(build, program, formula):
    """The first rehash of a table that fills, at several thresholds."""
    files = build.recipe("bridge-uniform", SMALLER)
    slots = SLOTS // SMALLER
    names = Names(build.methods)
    rows = []
    for threshold in REHASH_AT:
        arguments = ["--pcap", files["pcap"], "--capacity", slots // 2, "--threshold", threshold]
        for number, record in enumerate(build.packets(program, arguments)):
            if any(call["outcome"] == "rehashed" for call in record["calls"]):
                entries = number + 1
                looks = probing.stored_looked_at(entries / slots)
                # All packets are broadcasts so far; the last one looks at one slot more than the threshold at least.
                pcvs = {"macs.learn.z": slots, "macs.learn.o": entries, "macs.learn.p": entries * looks, "macs.learn.t": threshold + 1}
                rows.append({"threshold": threshold, "entries": entries, "predicted": int(formula.value(pcvs)),
                             "observed": int(formula.value(names.observed(record))), "measured": cost(record)})
                break
    return {"slots": slots, "rows": rows}


def study(build, compiler):
    program = build.program("bridge", compiler)
    files = build.recipe("bridge-uniform", SMALLER)
    say(f"bridge {compiler}")
    formulas = build.formulas(program, CLASSES, ["--pcap", files["pcap"]])
    known, rehashed = (formulas[name]["instructions"] for name in ("known", "rehashed"))
    return {"compiler": compiler, "formulas": {"known": known.text, "rehashed": rehashed.text},
            "thresholds": thresholds(build, program, known), "rehashes": rehashes(build, program, rehashed)}


def faults(result):
    found = []
    if result["thresholds"]["above"]:
        found.append(f"{result['thresholds']['above']} packets cost more than was predicted for their PCVs")
    found += [f"threshold {row['threshold']}: a packet cost {row['measured']}, predicted were {row['predicted']}"
              for row in result["thresholds"]["rows"] if row["measured"] > row["predicted"]]
    found += [f"rehash at threshold {row['threshold']}: it cost {row['measured']}, predicted were {row['observed']}"
              for row in result["rehashes"]["rows"] if row["measured"] > row["observed"]]
    return found


def page(result):
    of, rehash = result["thresholds"], result["rehashes"]
    rows = [[row["threshold"], f"{row['predicted']:,}", f"{row['measured']:,}", f"{100 * row['beyond_predicted']:.3f} %",
             f"{100 * row['beyond_measured']:.3f} %"] for row in of["rows"]]
    rehashed = [[row["threshold"], f"{row['entries']:,}", f"{row['predicted']:,}", f"{row['observed']:,}", f"{row['measured']:,}",
                 share(row["predicted"] / row["measured"] - 1)] for row in rehash["rows"]]
    return f"""
## Bridge: the threshold for a new key

`bridge`, {result['compiler']} -O2, instructions. A packet between known stations costs

    {result['formulas']['known']}

so at a threshold T no more than with both `t` at T, unless the tags of two addresses are the same (c; one pair in 2^31). {of['stations']:,} stations lie at random
in {of['slots']:,} slots; {of['packets']:,} packets go between them. Beyond: the share of stations that are found behind more than T slots, so that learning them would have
rehashed the table.

""" + table(["threshold T", "cost at T, predicted", "dearest packet up to T, measured", "beyond T, predicted", "beyond T, measured"], rows) + f"""
The packet that rehashes costs

    {result['formulas']['rehashed']}

(z slots, o entries, p slots looked at for them). The first one as a table of {rehash['slots']:,} slots fills; predicted from the number of entries alone, then with the PCVs as counted:

""" + table(["threshold T", "entries", "predicted", "with PCVs as counted", "measured", "over"], rehashed)
