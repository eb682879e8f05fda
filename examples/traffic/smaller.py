"""Recipes made smaller, for what is slow to run on all of their packets."""
import re

BACKENDS, FEWER_BACKENDS = 32, 4


def smaller(recipe, factor):
    """A recipe's text with all large numbers of entries, packets and slots divided: tables and traffic alike."""
    def divide(match):
        number = int(match[2])
        return match[1] + str(number // factor if number >= 1000 else number)
    return re.sub(r"\b((?:count|packets|first|slots): )(\d+)", divide, recipe)


def with_fewer_backends(recipe):
    """Those that send heartbeats are 32, or 31 where one is silent; their table has 64 slots."""
    def divide(match):
        number = int(match[2])
        if number not in (BACKENDS - 1, BACKENDS, 2 * BACKENDS):
            return match[0]
        return match[1] + str(-(-number * FEWER_BACKENDS // BACKENDS) - (number == BACKENDS - 1))
    return re.sub(r"\b((?:count|packets|first|slots): )(\d+)", divide, recipe)
