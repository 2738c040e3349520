"""The page of a sweep, and its comparison with an earlier sweep."""

from __future__ import annotations

from forge_mlir.sweep.page import to_html
from forge_mlir.sweep.run import worse
from sample_models.sweeping import row


def test_the_page_compares() -> None:
    before = {"a": row("a", "verified", calls=7), "b": row("b", "refused"), "gone": row("gone", "wrong")}
    now = [row("a", "wrong", calls=9), row("b", "verified"), row("new", "failed")]
    assert [(one.model, other.verdict) for one, other in worse(now, before)] == [("a", "verified")]
    assert [other.verdict for _, other in worse([row("b", "wrong")], before)] == ["refused"]
    page = to_html(now, before)
    assert '<span class="wrong">wrong</span> <span class="was">was verified</span>' in page
    assert '9 <span class="was">was 7</span>' in page
    assert "not in this sweep, was wrong" in page
    assert "2 verdicts differ" in page
    assert "was" not in to_html(now, {}).partition("<tbody>")[2]
