"""Makes the mixture of experts of this folder: transformers' Mixtral with random weights, by both exporters of PyTorch.

It needs `transformers` 4.46.3, which is no dependency of this project: from 5 on its experts have no export. Install it
beside torch in an environment of its own. `model.onnx` is of the exporter that traces, `dynamo.onnx` of the newer one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from transformers import MixtralConfig, MixtralForCausalLM  # type: ignore[import-not-found]

VOCABULARY, TOKENS = 32, 6
CONFIG = {
    "vocab_size": VOCABULARY,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_local_experts": 4,
    "num_experts_per_tok": 2,
    "max_position_embeddings": 32,
    "use_cache": False,
    "attn_implementation": "eager",
}


class Logits(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.model = MixtralForCausalLM(MixtralConfig(**CONFIG)).eval()

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.model(input_ids=input_ids, use_cache=False).logits
        return logits


def main() -> None:
    folder = Path(__file__).parent
    torch.manual_seed(0)
    model = Logits().eval()
    ids = torch.randint(0, VOCABULARY, (1, TOKENS))
    names = {"input_names": ["input_ids"], "output_names": ["logits"]}
    torch.onnx.export(model, (ids,), str(folder / "model.onnx"), dynamo=False, opset_version=17, **names)
    program = torch.onnx.export(model, (ids,), dynamo=True, **names)
    assert program is not None
    for file, proto in (("model.onnx", onnx.load(folder / "model.onnx")), ("dynamo.onnx", program.model_proto)):
        strip(proto)
        onnx.save(proto, folder / file)
    session = onnxruntime.InferenceSession(folder / "model.onnx")
    np.savez(folder / "inputs.npz", input_ids=ids.numpy())
    np.savez(folder / "outputs.npz", logits=session.run(None, {"input_ids": ids.numpy()})[0])


def strip(model: onnx.ModelProto) -> None:
    """Takes away what exporters say about where nodes come from."""
    del model.metadata_props[:]
    graph = model.graph
    for part in (graph, *graph.node, *graph.value_info, *graph.initializer):
        del part.metadata_props[:]
        part.ClearField("doc_string")


if __name__ == "__main__":
    main()
