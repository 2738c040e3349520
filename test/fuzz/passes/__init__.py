"""One pass on any valid IR of the forge dialect: the neighbourhood of lit inputs, and random programs."""

from fuzz.passes.each_pass import PASSES, WrongPass, check, is_valid
from fuzz.passes.grafts import grafted
from fuzz.passes.neighbours import neighbour
from fuzz.passes.programs import random_program
from fuzz.passes.text import Program, corpus

__all__ = ["PASSES", "Program", "WrongPass", "check", "corpus", "grafted", "is_valid", "neighbour", "random_program"]
