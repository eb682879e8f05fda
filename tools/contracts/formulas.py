"""Formulas of docs/formats.md, section 3, as `perfpact contract --json` prints them: sums of products, and max of such."""
import re
from fractions import Fraction

NAME = re.compile(r"[A-Za-z_]\w*(?:#\d+)?(?:\.[A-Za-z_]\w*(?:#\d+)?)*")
FUNCTIONS = {"max": max, "min": min}


class Formula:
    def __init__(self, text):
        self.text = text
        self.names = sorted({name for name in NAME.findall(text) if name not in FUNCTIONS})
        python = NAME.sub(lambda match: match[0] if match[0] in FUNCTIONS else f"_v[{match[0]!r}]", text)
        # A fraction `1/3` stands before the names of its term.
        python = re.sub(r"(?<![\w'#.\"])(\d+)/(\d+)", r"_fraction(\1, \2)", python)
        self._code = compile(python, text, "eval")

    def value(self, values):
        """Names that `values` lacks are 0."""
        known = {name: values.get(name, 0) for name in self.names}
        scope = {"__builtins__": {}, "_v": known, "_fraction": Fraction, **FUNCTIONS}
        return eval(self._code, scope)  # pylint: disable=eval-used


class Names:
    """PCVs of a call as `count` tells them (`hash_map_get.t`), by their names in contracts (`flows.get.get.t`)."""

    def __init__(self, methods):
        self._methods = {method["function"]: method["method"] for method in methods}

    def method(self, function):
        return self._methods.get(function, function)

    def labelled(self, calls):
        """Calls by the labels that contracts give them: `flows.get`, the second `flows.get#2`."""
        times = {}
        for call in calls:
            label = f"{call['structure']}.{self.method(call['method'])}"
            times[label] = times.get(label, 0) + 1
            yield label + (f"#{times[label]}" if times[label] > 1 else ""), call

    def observed(self, record):
        """PCVs of a packet."""
        values = {}
        for label, call in self.labelled(record["calls"]):
            for name, value in call["pcvs"].items():
                *inside, pcv = name.split(".")
                by_methods = ".".join([label, *map(self.method, inside), pcv])
                values[by_methods] = values.get(by_methods, 0) + value
                values.setdefault(f"{label}.{name}", value)
        return values
