"""Results as text, and as docs/accuracy.md."""
import itertools

from . import cases

LIMITS = {"observed": 0.01, "worst": 0.02}  # what over-estimation is aimed at

HEAD = """# How accurate contracts are

Made by `tools/accuracy --write`; do not edit. For each input class (`examples/contracts`) packets of the class
(`examples/traffic`, tables and traffic made smaller by a factor of 16, of the DIR-24-8 router by 64; full tables have {entries:,} entries) run through the
production binary under valgrind (the DIR-24-8 router is stepped), and the **dearest of all** stands beside two predictions. Both are made with the pack that
`perfpact derive` makes of the same binary:

- **observed**: the class's formula with the PCVs of each packet as counted, the largest of these;
- **worst**: the class's formula with the worst PCVs that the class promises. Of classes in which all keys collide these are the
  PCVs of a full table whose entries expire oldest first.

Each is followed by how far it is above the measurement. {verdict}

A contract is of one program: the published figures (BOLT, NSDI'19; predicted / measured) are of other ones and stand here for
their over-estimation.
"""

WHY = """
## Why a prediction is above the measurement

The parts of the dearest path that cost more than the same parts of the dearest packet, in instructions: "62 for 60" is predicted
for measured. `own code` is what is outside methods: there the class has a path that no packet of the traffic took.
"""

LARGEST = """
## Full tables of {most:,} entries

Too long to measure: predicted with the worst PCVs.
"""

CYCLES = """
Cycles are compared by `bench/cycles/compare` on the machine that it runs on.
"""


def share(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def text(results):
    lines = [f"{'network function':22} {'class':6} {'compiler':8} {'metric':12} {'measured':>11} {'observed':>11} {'over':>7} "
             f"{'worst':>11} {'over':>7}"]
    for one in results:
        worst = "-" if one.worst is None else one.worst
        lines.append(f"{one.nf:22} {one.name:6} {one.compiler:8} {one.metric:12} {one.measured:11} {one.observed:11} "
                     f"{share(one.over(one.observed)):>7} {worst:>11} {share(one.over(one.worst)):>7}")
        if one.differences:
            lines.append(f"    {'; '.join(one.differences)}")
    return "\n".join(lines)


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def grouped(results, *names):
    """In their order, by attributes."""
    def key(one):
        return tuple(getattr(one, name) for name in names)
    return [(group, list(members)) for group, members in itertools.groupby(results, key)]


def predicted(one, value):
    return "-" if value is None else f"{value:,} ({share(one.over(value))})"


def published(name, metric):
    """Instructions, and beside the loads all memory accesses."""
    if name not in cases.PUBLISHED or metric not in ("instructions", "loads"):
        return "-"
    above, below = cases.PUBLISHED[name][metric == "loads"]
    what = "accesses " if metric == "loads" else ""
    return f"{what}{above} / {below} ({share(above / below - 1)})"


def verdict(results):
    below = [one for one in results if one.below or (one.worst is not None and one.worst < one.measured)]
    said = "No prediction is below its measurement." if not below else "PREDICTIONS BELOW THEIR MEASUREMENTS: " + "; ".join(
        f"{one.nf} {one.name} {one.compiler} {one.metric}" for one in below) + "."
    overs = {kind: [(one.over(getattr(one, kind)), one) for one in results if one.over(getattr(one, kind)) is not None]
             for kind in LIMITS}
    for kind, limit in LIMITS.items():
        most, one = max(overs[kind], key=lambda pair: pair[0])
        beyond = sum(over > limit for over, _ in overs[kind])
        said += (f" By {kind} PCVs the largest over-estimation is {share(most)} ({one.nf}, {one.name}, {one.compiler}, {one.metric}); "
                 f"{beyond} of {len(overs[kind])} figures are more than {share(limit)} above.")
    return said


def document(results):
    parts = [HEAD.format(entries=cases.ENTRIES, verdict=verdict(results))]
    for (nf,), of_nf in grouped(results, "nf"):
        rows = []
        for (name, compiler, metric), (one,) in grouped(of_nf, "name", "compiler", "metric"):
            rows.append([name, compiler, metric, f"{one.measured:,}", predicted(one, one.observed), predicted(one, one.worst),
                         published(name, metric)])
        parts.append(f"\n## {nf}\n\n" + table(["class", "compiler", "metric", "measured", "observed", "worst", "published"], rows))
    parts.append(WHY + "\n" + "".join(
        f"- {one.nf}, {one.name}, {one.compiler}: {'; '.join(one.differences)}\n" for one in results if one.differences)
                 + "".join(f"- {function.name}, {case.name}: {case.why}.\n" for function in cases.FUNCTIONS
                           for case in function.cases if case.why))
    largest = [[one.nf, one.name, one.compiler, one.metric, f"{one.largest:,}"] for one in results if one.largest is not None]
    parts.append(LARGEST.format(most=cases.MOST_ENTRIES) + "\n"
                 + table(["network function", "class", "compiler", "metric", "predicted"], largest))
    parts.append(CYCLES)
    return "".join(parts)
