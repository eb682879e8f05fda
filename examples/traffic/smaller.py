"""Recipes made smaller, for what is slow to run on all of their packets."""
import re


def smaller(recipe, factor):
    """A recipe's text with all large numbers of entries, packets and slots divided: tables and traffic alike."""
    def divide(match):
        number = int(match[2])
        return match[1] + str(number // factor if number >= 1000 else number)
    return re.sub(r"\b((?:count|packets|first|slots): )(\d+)", divide, recipe)
