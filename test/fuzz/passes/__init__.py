"""Single passes on any valid IR of the forge dialect: neighbours of lit inputs, and random programs."""

from fuzz.passes.each_pass import PASSES, WrongPass, check, is_valid
from fuzz.passes.grafts import grafted
from fuzz.passes.lit_inputs import cycle, neighbourhood
from fuzz.passes.neighbours import neighbour
from fuzz.passes.programs import random_program
from fuzz.passes.recurrent import recurrent_program
from fuzz.passes.text import Program, corpus

__all__ = [
    "PASSES",
    "Program",
    "WrongPass",
    "check",
    "corpus",
    "cycle",
    "grafted",
    "is_valid",
    "neighbour",
    "neighbourhood",
    "random_program",
    "recurrent_program",
]
