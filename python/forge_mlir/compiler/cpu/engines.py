"""Checks that the CPU partitions of a model can be run: the engine for each opens it at compile time."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence

from onnx import NodeProto

from forge_mlir.artifact.manifest import Json
from forge_mlir.codes import Code
from forge_mlir.compiler.cpu.subgraphs import CpuSubgraphs
from forge_mlir.errors import Diagnostic
from forge_mlir.execute.onnx.engines import ENGINE_KEY, EXACT_KEY, Proof, prove
from forge_mlir.onnx_model.graph import node_opset
from forge_mlir.support.opsets import declared_opsets
from forge_mlir.support.sandbox import Limits, isolated


def choose_engines(
    subgraphs: CpuSubgraphs, partitions: Sequence[Json], values: Sequence[Json], exact: bool, limits: Limits
) -> tuple[dict[str, Proof], list[Diagnostic]]:
    """How each CPU partition of a manifest is run, by module, and an error for each node that no engine can run.
    onnxruntime must not optimise if `exact`.

    Engines are native code; they open the graphs, without weights, in a child process under `limits`.
    """
    on_cpu = [partition for partition in partitions if partition["kind"] == "cpu"]
    if not on_cpu:
        return {}, []
    proofs = prove_all([subgraphs.probe(partition, values) for partition in on_cpu], exact, limits)
    chosen: dict[str, Proof] = {}
    errors: list[Diagnostic] = []
    for partition, proof in zip(on_cpu, proofs, strict=True):
        if proof.engine is not None:
            chosen[partition["module"]] = proof
        else:
            errors += _blame(subgraphs, partition, values, proof, limits)
    return chosen, errors


def prove_all(models: Sequence[bytes], exact: bool, limits: Limits) -> list[Proof]:
    """`prove` for each serialised model, in one child process."""
    with contextlib.suppress(ImportError):
        import onnxruntime  # noqa: F401 - loaded here, so that the child's memory is the models' alone
    return isolated("onnxruntime", lambda: [prove(model, exact) for model in models], limits)


def _blame(
    subgraphs: CpuSubgraphs, partition: Json, values: Sequence[Json], whole: Proof, limits: Limits
) -> list[Diagnostic]:
    """The nodes that no engine can open individually; if there are none, the whole partition."""
    probes = list(subgraphs.nodes(partition, values))
    proofs = prove_all([model for _, model in probes], whole.exact, limits)
    opsets = declared_opsets(subgraphs.model)
    found = [_refusal(node, proof, opsets) for (node, _), proof in zip(probes, proofs, strict=True) if not proof.engine]
    text = f"CPU partition {partition['module']} cannot be run: {whole.explain()}"
    return found or [Diagnostic("error", text, code=Code.PartitionFailed)]


def _refusal(node: NodeProto, proof: Proof, opsets: Mapping[str, int]) -> Diagnostic:
    reason = f"nothing runs it on the CPU either: {proof.explain()}"
    opset = node_opset(node) or opsets.get(node.domain, 0)
    return Diagnostic.of_node(
        Code.PartitionFailed, node.name, node.op_type, node.domain, opset, reason, tuple(node.output[:1])
    )


def metadata_of(partition: Json) -> dict[str, str]:
    """The metadata for the ONNX file of a CPU partition, which say how to run it."""
    return {ENGINE_KEY: partition["engine"], EXACT_KEY: str(partition["exact"]).lower()}
