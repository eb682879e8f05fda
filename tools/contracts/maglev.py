"""How long nflib's consistent hashing (nflib/maglev.h) looks for free slots as it fills its table."""

BITS = 2**64 - 1


def mix(bits):
    """The output function of SplitMix64."""
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & BITS
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & BITS
    return bits ^ bits >> 31


def permutation(backend, slots):
    """The slot that a backend likes best, and how far the next ones are from each other."""
    bits = mix(0x9E3779B97F4A7C15 * (backend + 1) & BITS)
    return bits % slots, mix(bits) % (slots - 1) + 1


def looks(living, slots):
    """PCV p of a filling: slots looked at by all living backends together (a list of numbers)."""
    at, skip = map(list, zip(*(permutation(backend, slots) for backend in living)))
    taken = [False] * slots
    count = 0
    for filled in range(slots):
        turn = filled % len(living)
        while True:
            slot = at[turn]
            at[turn] = (slot + skip[turn]) % slots
            count += 1
            if not taken[slot]:
                break
        taken[slot] = True
    return count


def most_looks(backends, slots):
    """The same at most, while at most one of the backends is dead."""
    everyone = range(backends)
    return max(looks([other for other in everyone if other != dead], slots) for dead in range(backends + 1))
