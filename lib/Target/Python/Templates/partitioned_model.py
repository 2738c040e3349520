"""Model CLASS_NAME, compiled from ONNX by forge-mlir: PART_COUNT partitions, each on the device or on the CPU.

MODULE_STEM.json says what runs where and why. AFTER_AN_EDIT"""

from pathlib import Path

from forge_mlir.emitted import PartitionedModel


def load(trust_edits=False):
    """The model with its weights. Call it with the inputs in order, or its `run` with a dict by ONNX name."""
    return PartitionedModel.open(Path(__file__).with_suffix(".json"), trust_edits=trust_edits)
