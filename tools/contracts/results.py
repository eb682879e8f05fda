"""One class, compiler and metric: what was predicted, what was measured, and where the difference lies."""
import dataclasses

from .formulas import Formula


@dataclasses.dataclass
class Result:
    nf: str
    name: str
    compiler: str
    metric: str
    worst: int | None          # None: the class limits no PCV
    largest: int | None = None  # worst for the largest table
    observed: int = 0
    measured: int = 0
    packets: int = 0
    below: int = 0             # packets that cost more than was predicted for their PCVs
    gaps: int = 0
    differences: list = dataclasses.field(default_factory=list)

    def add(self, predicted, measured):
        """A packet; tells whether it is the dearest so far."""
        self.packets += 1
        self.below += predicted < measured
        self.observed = max(self.observed, predicted)
        is_dearest = self.packets == 1 or measured > self.measured
        self.measured = max(self.measured, measured)
        return is_dearest

    def over(self, predicted):
        """By how much a prediction is above the measurement, as a share of this."""
        if predicted is None:
            return None
        if self.measured == 0:
            return 0.0 if predicted == 0 else float("inf")
        return predicted / self.measured - 1

    def faults(self):
        where = f"{self.nf}, {self.name}, {self.compiler}, {self.metric}"
        if self.packets == 0:
            yield f"{where}: no packet was measured"
        if self.below:
            yield f"{where}: {self.below} of {self.packets} packets cost more than was predicted for their PCVs"
        if self.worst is None:
            yield f"{where}: the class does not limit all PCVs"
        elif self.worst < self.measured:
            yield f"{where}: a packet cost {self.measured}, the class promises {self.worst} at most"
        if self.gaps:
            yield f"{where}: the contract has gaps"

    def row(self):
        """What `tools/accuracy --json` prints."""
        return {"nf": self.nf, "class": self.name, "compiler": self.compiler, "metric": self.metric,
                "predicted_observed": self.observed, "predicted_worst": self.worst, "measured": self.measured,
                "predicted_largest": self.largest, "packets": self.packets, "below": self.below, "gaps": self.gaps,
                "differences": self.differences}

    @classmethod
    def of_row(cls, row):
        return cls(row["nf"], row["class"], row["compiler"], row["metric"], row["predicted_worst"], row["predicted_largest"],
                   row["predicted_observed"], row["measured"], row["packets"], row["below"], row["gaps"], row["differences"])


def differences(contract, metric, record, pcvs, names):
    """What a packet cost less than the class's dearest path predicts for its PCVs, part by part."""
    costs = {"own code": (contract["own"][metric], record[metric])}
    for call in contract["calls"]:
        costs[call["call"]] = (Formula(call[metric]).value(pcvs), 0)
    for label, call in names.labelled(record["calls"]):
        costs[label] = (costs.get(label, (0, 0))[0], call[metric])
    return [f"{part} {predicted} for {measured}" for part, (predicted, measured) in costs.items() if predicted != measured]
