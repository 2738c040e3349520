"""The calls of emitted modules, found by parsing their source."""

from __future__ import annotations

import pytest

from forge_mlir.artifact.source.parsed_calls import count_parsed_calls, parsed_calls
from forge_mlir.errors import ForgeError

SOURCE = """
class M(ForgeModule):
    def forward(self, x, y):
        c = forge.op.Constant("", constant=1.0)
        a, b = self.layer(2, x, "other", c)
        release(x)
        d = forge.op.Add("", a, self.get_parameter("w")).set_src_layer("sum")
        return d, b

    def layer(self, n, x, named, c):
        p = forge.op.Multiply("", x, c).set_src_layer(f"/h.{n}/{3 * n - 1}/{{}}")
        r = self.block(p, f"/h.{n}/norm", ("first" if n else "none", f"x_{n}" if n != 2 else "second"))
        q = forge.op.Tanh("", r).set_src_layer(named)
        return q, p

    def block(self, x, scope, nodes):
        s = forge.op.Sqrt("", x).set_src_layer(f"{scope}/Sqrt")
        t = forge.op.Exp("", s).set_src_layer(nodes[1])
        u = forge.op.Exp("", t).set_src_layer(nodes[0])
        return u
"""


def test_the_calls_of_a_source() -> None:
    found = {call.path: call for call in parsed_calls(SOURCE)}
    assert list(found) == ["c", "a.p", "a.r.s", "a.r.t", "a.r.u", "a.q", "d"]
    assert [call.node for call in found.values()] == [
        "",
        "/h.2/5/{}",
        "/h.2/norm/Sqrt",
        "second",
        "first",
        "other",
        "sum",
    ]
    assert {"x", "c"} <= set(found["a.p"].reads)
    assert "a.p" in found["a.r.s"].reads
    assert "a.r.u" in found["a.q"].reads
    assert "a.q" in found["d"].reads
    assert [call.line for call in found.values()] == [4, 11, 17, 18, 19, 13, 7]
    assert found["a.q"].callee == "forge.op.Tanh"


LOOP = """
        for n in range(3, 9, 2):
            d = self.block(d, f"/t.{n}", ("one", "two"))
            d = forge.op.Relu("", d)
        return d, b
"""


@pytest.mark.parametrize(
    ("source", "count"), [(SOURCE, 7), (SOURCE.replace("\n        return d, b\n", LOOP), 7 + 3 * (3 + 1))]
)
def test_calls_are_counted_without_being_listed(source: str, count: int) -> None:
    assert count_parsed_calls(source) == len(parsed_calls(source)) == count


def test_a_method_that_calls_itself_has_no_calls_in_there() -> None:
    found = parsed_calls(
        SOURCE.replace("u = forge.op.Exp", "u = self.block(t, scope, nodes)\n        v = forge.op.Exp")
    )
    assert [call.path for call in found if call.path.startswith("a.r")] == ["a.r.s", "a.r.t", "a.r.u", "a.r.v"]


def test_a_source_with_two_forwards_has_no_calls() -> None:
    with pytest.raises(ForgeError, match="one forward"):
        parsed_calls(SOURCE + SOURCE.replace("class M", "class N"))
