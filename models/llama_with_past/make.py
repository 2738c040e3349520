"""Makes the Llama of this folder: that of models/llama after a past, with its words (see models/exporting.py).

Batch, tokens and past are open. `tokenizer.json` has a word for each token.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from models.exporting import destination, export
from models.llama.make import GROUPS, HEAD, LAYERS, VOCABULARY, Llama
from torch import Tensor

WORDS = (
    "<unknown> once upon a time there was an old king who had three sons and one daughter the lived in house by sea "
    "under green hill every day he went to forest with his dog then said come home my child it is late night but she "
    "would not stay"
)


class LlamaWithPast(Llama):
    """Tokens, a mask of past and tokens, and keys and values of each layer, to logits and the new keys and values."""

    def forward(self, ids: Tensor, shown: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        tokens, total = ids.shape[1], shown.shape[1]
        places = torch.arange(total)
        own = places[total - tokens :]
        angles = own[:, None] * self.frequencies
        angles = torch.cat((angles, angles), dim=-1)
        seen = (places <= own[:, None])[None, None] & shown.bool()[:, None, None]
        mask = torch.where(seen, 0.0, torch.finfo(torch.float32).min)
        x, present = self.words(ids), []
        for at, layer in enumerate(self.layers):
            x, *grown = layer(x, angles.cos(), angles.sin(), mask, past[2 * at : 2 * at + 2])
            present += grown
        return self.head(self.norm(x)), *present


def main(folder: Path) -> None:
    torch.manual_seed(3)
    batch, tokens, past = 2, 3, 5
    model = LlamaWithPast()
    torch.nn.init.normal_(model.head.weight, std=0.5)
    names = [f"{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]
    held = {f"past_key_values.{name}": torch.randn(batch, GROUPS, past, HEAD) for name in names}
    mask = torch.ones(batch, past + tokens, dtype=torch.int64)
    inputs = {"input_ids": torch.randint(VOCABULARY, (batch, tokens)), "attention_mask": mask, **held}
    dynamic = {"input_ids": {0: "batch", 1: "tokens"}, "attention_mask": {0: "batch", 1: "total"}}
    dynamic |= {name: {0: "batch", 2: "past"} for name in held}
    dynamic |= {"logits": {0: "batch", 1: "tokens"}} | {f"present.{name}": {0: "batch", 2: "total"} for name in names}
    export(model, inputs, ["logits", *(f"present.{name}" for name in names)], folder, dynamic=dynamic)
    vocabulary = {word: at for at, word in enumerate(WORDS.split())}
    assert len(vocabulary) == VOCABULARY
    parts = {"model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "<unknown>"}}
    parts |= {"pre_tokenizer": {"type": "WhitespaceSplit"}, "added_tokens": [], "decoder": None}
    parts |= dict.fromkeys(("truncation", "padding", "normalizer", "post_processor"))
    (folder / "tokenizer.json").write_text(json.dumps({"version": "1.0", **parts}, indent=1) + "\n")


if __name__ == "__main__":
    main(destination(__file__))
