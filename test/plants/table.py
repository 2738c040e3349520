"""The measurements for planted errors, as a line of text and as the table of docs/numerics.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plants.planted import REPOSITORY, Plant

DOCUMENT = REPOSITORY / "docs" / "numerics.md"
BEGIN, END = "<!-- plants -->\n", "<!-- /plants -->\n"


@dataclass(frozen=True)
class Row:
    """`bisected` are seconds, `campaigns` are the seconds and the blamed pass for each seed; None if the error was not
    found."""

    plant: Plant
    bisected: float | None
    campaigns: tuple[tuple[float, str] | None, ...]

    @property
    def is_found(self) -> bool:
        return self.bisected is not None and None not in self.campaigns

    def text(self, seeds: Sequence[int]) -> str:
        named = zip(seeds, self.campaigns, strict=True)
        campaigns = [
            f"seed {seed}: {_shown(found and found[0])}{f' by {found[1]}' if found else ''}" for seed, found in named
        ]
        return f"{self.plant.name}: bisect {_shown(self.bisected)}; {'; '.join(campaigns)}"


def _shown(seconds: float | None) -> str:
    return "not found" if seconds is None else f"{seconds:.0f} s"


def table(rows: Sequence[Row]) -> str:
    """The table in Markdown, for the marked section of the page."""
    lines = ["| error | pass | slowest search |", "|---|---|---|"]
    for row in rows:
        seconds = [row.bisected, *(found and found[0] for found in row.campaigns)]
        slowest = max(filter(None, seconds), default=0.0) if row.is_found else None
        lines.append(f"| {row.plant.what} | `--{row.plant.culprit}` | {_shown(slowest)} |")
    return "\n".join([*lines, ""])


def write(rows: Sequence[Row]) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    DOCUMENT.write_text(f"{before}{BEGIN}{table(rows)}{END}{after}", encoding="utf-8")
