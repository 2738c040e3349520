"""Wrong rules, each a plausible or an actual mistake."""

from __future__ import annotations

from dataclasses import replace

from itd_oracle.enumeration import backward_swizzle
from itd_oracle.model import Rules

_RIGHT = Rules()

MUTANTS: dict[str, Rules] = {
    "a split rounds down": replace(_RIGHT, quotient=lambda extent, factor: extent // factor),
    "an outer split has the extents of an inner one": replace(
        _RIGHT, outer_split=lambda factor, quotient: [quotient, factor]
    ),
    "an outer split scales by its factor": replace(
        _RIGHT, split_index=lambda outer, inner, width, outer_extent: outer * min(width, outer_extent) + inner
    ),
    "the outer index of a merge truncates towards zero": replace(
        _RIGHT, merge_bound=lambda bound, width: int(bound / width)
    ),
    "a resize shifts the wrong way": replace(_RIGHT, resize_index=lambda out, left: out + left),
    "a cyclic swizzle subtracts": replace(
        _RIGHT,
        swizzle_index=lambda kind, x, y, size: (
            (y - x) % size if kind == "cyclic" and size else backward_swizzle(kind, x, y, size)
        ),
    ),
    "a z-shape turns the even rows": replace(
        _RIGHT,
        swizzle_index=lambda kind, x, y, size: backward_swizzle(kind, x + 1 if kind == "zshape" else x, y, size),
    ),
    "xor is closed on squares": replace(_RIGHT, closed=lambda kind, x, y: kind != "xor" or x == y),
    "a split is divisible if its extent is at least the factor": replace(
        _RIGHT, divisible=lambda extent, _, inner: extent >= inner
    ),
    "only a resize to the left makes holes": replace(_RIGHT, resize_makes_holes=lambda left, _: left > 0),
    "equal maps are equal schedules": replace(_RIGHT, equal_modulo_holes=False),
    "the inner part of a split needs no guard": replace(_RIGHT, inner_deferred=lambda *_: True),
    "the inner part needs no guard one element too early": replace(
        _RIGHT, inner_deferred=lambda least, width, extent: (least + 1) * width + 1 >= extent
    ),
    "a resize never needs a guard": replace(_RIGHT, resize_deferred=lambda _: True),
    "an xor swizzle needs no guard": replace(_RIGHT, swizzle_deferred=lambda _: True),
    "the inner part is always guarded": replace(_RIGHT, inner_deferred=lambda *_: False),
}
