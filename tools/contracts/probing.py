"""What a table with linear probing looks like when its keys are random: PCVs of nflib's hash tables before anything is run.

The slots a key is looked for in are full up to the first empty one. In a large table of load `a` the lengths of clusters (runs
of full slots, behind an empty one) have the Borel distribution: with probability exp(-a (j+1)) (a (j+1))^j / (j+1)! one has
j slots (D. Knuth, The Art of Computer Programming, 6.4; it is the busy period of a queue that a slot serves)."""
import math

LONGEST = 2000  # clusters that are longer are out of the question up to a load of 0.9


def clusters(load):
    """Shares of clusters of 0, 1, 2 ... slots."""
    if load == 0:
        return [1.0]
    return [math.exp(-load * (j + 1) + j * math.log(load * (j + 1)) - math.lgamma(j + 2)) for j in range(LONGEST)]


def beyond(load, slots):
    """The share of keys that are not there whose search looks at more than so many slots."""
    return (1 - load) * sum(share * (j - slots + 1) for j, share in enumerate(clusters(load)) if j >= slots)


def stored_beyond(load, slots, steps=200):
    """The same of keys that are there, which lie where they were put when the table was emptier."""
    return sum(beyond(load * (step + 0.5) / steps, slots) for step in range(steps)) / steps


def looked_at(load):
    """Slots that the search for a key that is not there looks at, on average (Knuth 1962)."""
    return (1 + 1 / (1 - load) ** 2) / 2


def stored_looked_at(load):
    """The same of a key that is there."""
    return (1 + 1 / (1 - load)) / 2


def behind(load):
    """Slots looked at behind a key that is taken out, up to the empty one that ends its cluster, on average."""
    shares = clusters(load)
    keys = sum(j * share for j, share in enumerate(shares))
    return sum(j * (j - 1) / 2 * share for j, share in enumerate(shares)) / keys + 1
