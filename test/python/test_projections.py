"""x * W + b is matched, and what is linear in a value is followed, in `forge/Dialect/Forge/Analysis` alone.

Two places that decide what may be folded into weights would come to disagree on what is safe. So every file of the
passes that names an op of products, or looks at the readers of a value, is listed with what it does with them: a new
one fails here until it asks `WeightProduct`, `termsOf`, `AffineRegion` or `AxisSums`, or says why it need not. What
only moves elements (`Layout` but for its weights) scales nothing, and is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sample_models.repository import REPOSITORY

PASSES = REPOSITORY / "lib/Dialect/Forge/Transforms"
_PRODUCT = re.compile(
    r"(?:getDefiningOp|dyn_cast(?:_or_null)?|isa(?:_and_nonnull)?|cast|getOps|OpRewritePattern|Case)"
    r"<[^>()]*\b(?:MatmulOp|Conv2dOp|Conv2dTransposeOp|EmbeddingOp)\b"
)
_READERS = re.compile(r"get(?:Uses|Users)\(\)|user_begin\(\)")

PRODUCTS = {
    "Fusion/Affine/FactorsIntoWeights.cpp": "factors of products of two activations, which have no weights",
    "Fusion/Affine/TermsIntoWeights.cpp": "how a product that LinearOps found is given a bias",
    "Fusion/Convolutions/SumConvolutions.cpp": "windows of convolutions that LinearOps found",
    "Fusion/FoldWeights.cpp": "drops biases of zeros; whether there are products at all",
    "Fusion/KernelForms.cpp": "other forms of one op, whoever reads it",
    "Fusion/Scaling.cpp": "other columns for matrix products that LinearOps found",
    "Fusion/Slices/HeadColumns.cpp": "columns of matrix products that LinearOps found",
    "Join/BuildBranches.cpp": "builds one op for equal ones",
    "Join/EqualBranches.cpp": "compares ops",
    "Join/JoinAxes.cpp": "axes of one op",
    "Join/JoinConvolutions.cpp": "compares ops",
    "Join/JoinSlices.cpp": "compares ops",
    "Layout/Weights/PaddedRegion.cpp": "zeros that a contraction drops",
    "Legalize/FloatPrecision.cpp": "rounding of one op",
    "Legalize/RecurrentOps.cpp": "whether a product depends on one with the same weight",
    "Legalize/SeparateProducts.cpp": "forms that the device's compiler refuses",
    "TilePadding/FillTilePadding.cpp": "tile padding that one op reads",
}
READERS = {
    "Fusion/Affine/FactorsIntoWeights.cpp": "the one other reader of a gated value",
    "Fusion/Affine/SignsIntoTables.cpp": "products with one table",
    "Fusion/Affine/TermsIntoWeights.cpp": "the sum that a product ends in",
    "Fusion/FusePatterns.cpp": "whether a value is a factor, for a remark",
    "Fusion/KernelForms.cpp": "whether readers broadcast",
    "Fusion/KnownMasks.cpp": "whether a mask is read as one",
    "Fusion/Norms/CentreNorms.cpp": "whether a term has a norm",
    "Fusion/Slices/ColumnProducts.cpp": "which ops nothing reads any more",
    "Fusion/Slices/HeadColumns.cpp": "slices of heads",
    "Join/BuildBranches.cpp": "readers of branches that become one",
    "Join/EqualBranches.cpp": "readers of branches that become one",
    "Join/JoinSlices.cpp": "slices of one value",
    "Layout/Weights/PadWeights.cpp": "slices of columns",
    "Layout/Weights/PaddedRegion.cpp": "zeros that a contraction drops",
    "Layout/Weights/Projection.cpp": "slices of columns, with a reshape between",
    "Layout/Weights/SplitWeights.cpp": "slices of columns",
    "Legalize/FloatFormat.cpp": "types of operands",
    "Legalize/FloatPrecision.cpp": "whether a sum is carried on",
    "Legalize/RecurrentOps.cpp": "whether a product depends on one with the same weight",
}


def naming(pattern: re.Pattern[str], folder: Path = PASSES) -> set[str]:
    """The C++ files below `folder` that have the pattern outside of comments, by their path in it."""
    found = set()
    for path in (*folder.rglob("*.cpp"), *folder.rglob("*.h")):
        name = path.relative_to(folder)
        if name.parts[0] == "Layout" and name.parts[1] != "Weights":
            continue
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        if pattern.search(code):
            found.add(name.as_posix())
    return found


@pytest.mark.parametrize(("pattern", "listed"), [(_PRODUCT, PRODUCTS), (_READERS, READERS)])
def test_each_place_is_known(pattern: re.Pattern[str], listed: dict[str, str]) -> None:
    found = naming(pattern)
    assert found - set(listed) == set(), "ask WeightProduct or AffineRegion, or say here why not"
    assert set(listed) - found == set(), "such places are gone"


def test_a_new_place_is_found(tmp_path: Path) -> None:
    (tmp_path / "Own.cpp").write_text(
        "auto product = value.getDefiningOp<MatmulOp>();\n"
        "for (Operation *user : product->getUsers())\n  scale(user);\n// isa<Conv2dOp>(op)\n"
    )
    (tmp_path / "Comment.cpp").write_text("// isa<Conv2dOp>(op), op->getUsers()\n")
    assert naming(_PRODUCT, tmp_path) == naming(_READERS, tmp_path) == {"Own.cpp"}
