"""Exports language models of transformers with random weights, by each exporter that takes them.

    python benchmarks/language_models.py FOLDER [--only PATTERN] [--published]
    python benchmarks/generation_bench.py FOLDER

Each becomes FOLDER/<model>_<exporter>.onnx, or a folder of that name: "optimum" and "genai" are what the packages
optimum-onnx and onnxruntime-genai write (genai4: with weights of 4 bits), "dyn" is torch.onnx.export by torch.export,
and "step" that of one token. `--published`: two layers of models of published sizes instead, by optimum; 6 GB.
What exists stays; for what has no export a line says why.

It needs packages that are no dependency of this project, in an environment of their own: see `make generation`.
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor, nn
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.models.lfm2.modeling_lfm2 import Lfm2HybridConvCache

WORDS, LAYERS, HEADS, KEY_HEADS, SIZE, POSITIONS = 512, 2, 4, 2, 16, 512
WIDTH = HEADS * SIZE
WINDOW = 32
FRAMES = 24
"""Positions of the encoder's states."""


@dataclass(frozen=True)
class Model:
    """A model of transformers by the name of its class, what its config has, and the exporters to try."""

    kind: str
    config: dict[str, Any]
    exporters: tuple[str, ...] = ("optimum", "dyn", "genai")
    task: str = "text-generation-with-past"
    seed: int = 0
    """One with which greedy tokens do not soon repeat."""

    def make(self) -> nn.Module:
        """It, with random weights."""
        torch.manual_seed(self.seed)
        make = getattr(transformers, self.kind)
        config = make.config_class(**self.config)
        config._attn_implementation = "eager"
        config.architectures = [self.kind]
        made: nn.Module = make(config).eval()
        return made


def _decoder(**more: Any) -> dict[str, Any]:
    sizes: dict[str, Any] = {
        "vocab_size": WORDS,
        "hidden_size": WIDTH,
        "intermediate_size": 128,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KEY_HEADS,
        "max_position_embeddings": POSITIONS,
        "initializer_range": 0.2,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "rope_scaling": {"rope_type": "default"},
        "tie_word_embeddings": False,
    }
    return sizes | more


_GEMMA = {"head_dim": SIZE, "query_pre_attn_scalar": SIZE, "sliding_window": WINDOW}
_T5 = {"vocab_size": WORDS, "d_model": WIDTH, "d_kv": SIZE, "d_ff": 128, "num_layers": LAYERS, "num_heads": HEADS}
_WHISPER = {
    "vocab_size": WORDS,
    "d_model": WIDTH,
    "encoder_layers": 1,
    "decoder_layers": LAYERS,
    "encoder_attention_heads": HEADS,
    "decoder_attention_heads": HEADS,
    "encoder_ffn_dim": 128,
    "decoder_ffn_dim": 128,
    "max_source_positions": 1500,
    "max_target_positions": POSITIONS,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
    "init_std": 0.2,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
}
_GENERAL = ("optimum", "dyn", "genai", "genai4")
_READS = "text2text-generation-with-past"
MODELS = {
    "llama": Model("LlamaForCausalLM", _decoder(), _GENERAL),
    "mistral": Model("MistralForCausalLM", _decoder(sliding_window=WINDOW)),
    "qwen2": Model("Qwen2ForCausalLM", _decoder(), _GENERAL),
    "qwen3": Model("Qwen3ForCausalLM", _decoder(head_dim=SIZE)),
    "gemma": Model("GemmaForCausalLM", _decoder(head_dim=SIZE)),
    "gemma2": Model("Gemma2ForCausalLM", _decoder(**_GEMMA)),
    "gemma3": Model("Gemma3ForCausalLM", _decoder(**_GEMMA, layer_types=["sliding_attention", "full_attention"])),
    "phi3": Model("Phi3ForCausalLM", _decoder(original_max_position_embeddings=POSITIONS, rope_scaling=None)),
    "gpt2": Model(
        "GPT2LMHeadModel",
        {"vocab_size": WORDS, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": POSITIONS}
        | {"initializer_range": 0.2, "tie_word_embeddings": False},
        ("optimum", "dyn"),
    ),
    "t5": Model(
        "T5ForConditionalGeneration",
        {**_T5, "initializer_factor": 1.0, "tie_word_embeddings": False},
        ("optimum", "dyn"),
        _READS,
        seed=2,
    ),
    "whisper": Model(
        "WhisperForConditionalGeneration",
        _WHISPER,
        ("optimum", "dyn", "genai"),
        "automatic-speech-recognition-with-past",
    ),
    "lfm2": Model(
        "Lfm2ForCausalLM",
        _decoder(conv_L_cache=3, layer_types=["conv", "full_attention"], block_multiple_of=16, norm_eps=1e-5),
        ("step", "genai"),
    ),
    "mamba": Model(
        "MambaForCausalLM",
        {"vocab_size": WORDS, "hidden_size": WIDTH, "state_size": 8, "num_hidden_layers": LAYERS, "time_step_rank": 8}
        | {"initializer_range": 0.4},
        ("step",),
    ),
}


def _published(kind: str, words: int, width: int, inner: int, heads: int, key_heads: int, tied: bool) -> Model:
    """Two layers of a model as wide as it was published, and with all of its words."""
    sizes = {"vocab_size": words, "hidden_size": width, "intermediate_size": inner, "max_position_embeddings": 2048}
    sizes |= {"num_attention_heads": heads, "num_key_value_heads": key_heads}
    return Model(kind, _decoder(**sizes, initializer_range=0.02, tie_word_embeddings=tied), ("optimum",))


_GPT2 = {"vocab_size": 50257, "n_embd": 768, "n_layer": LAYERS, "n_head": 12, "n_positions": 1024}
PUBLISHED = {
    "llama3.2-1b": _published("LlamaForCausalLM", 128256, 2048, 8192, 32, 8, True),
    "tinyllama-1.1b": _published("LlamaForCausalLM", 32000, 2048, 5632, 32, 4, False),
    "qwen2-0.5b": _published("Qwen2ForCausalLM", 151936, 896, 4864, 14, 2, True),
    "gpt2-small": Model("GPT2LMHeadModel", _GPT2, ("optimum",)),
}


# torch.onnx.export


class WithPast(nn.Module):
    """A decoder as a function of ids, mask, positions and its past to logits and the new past."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, attention_mask: Tensor, position_ids: Tensor, *past: Tensor) -> Any:
        cache = DynamicCache()
        for layer, pair in enumerate(zip(past[::2], past[1::2], strict=True)):
            cache.update(*pair, layer)
        made = self.model(
            input_ids=input_ids,
            attention_mask=attention_mask,
            position_ids=position_ids,
            past_key_values=cache,
            use_cache=True,
        )
        return made.logits, *_flat(made.past_key_values)


class DecoderWithPast(nn.Module):
    """The decoder of a model that reads: ids, past and cross-attention caches to logits and the new past."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, *past: Tensor) -> Any:
        half = len(past) // 2
        own, cross = DynamicCache(), DynamicCache()
        for cache, pairs in ((own, past[:half]), (cross, past[half:])):
            for layer, pair in enumerate(zip(pairs[::2], pairs[1::2], strict=True)):
                cache.update(*pair, layer)
        caches = EncoderDecoderCache(own, cross)
        for layer in range(half // 2):
            caches.is_updated[layer] = True
        width = self.model.config.d_model
        states = torch.zeros(input_ids.shape[0], past[half].shape[2], width)
        made = self.model(
            decoder_input_ids=input_ids, encoder_outputs=(states,), past_key_values=caches, use_cache=True
        )
        return made.logits, *_flat(made.past_key_values.self_attention_cache)


class MambaStep(nn.Module):
    """A token of a Mamba: ids [batch, 1] and its states to logits and the new states."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, *states: Tensor) -> Any:
        cache = _States(states)
        position = torch.tensor([self.model.config.conv_kernel - 1])
        logits = self.model(input_ids, cache_params=cache, cache_position=position, use_cache=True).logits
        return logits, *(each for pair in zip(cache.conv_states, cache.ssm_states, strict=True) for each in pair)


class _States:
    """What MambaForCausalLM takes for its MambaCache, whose state of the convolution always moves by a token."""

    def __init__(self, states: Sequence[Tensor]) -> None:
        self.conv_states = list(states[::2])
        self.ssm_states = [each.clone() for each in states[1::2]]

    def update_conv_state(self, layer: int, new: Tensor, _: Tensor) -> Tensor:
        self.conv_states[layer] = torch.cat([self.conv_states[layer][:, :, 1:], new], -1)
        return self.conv_states[layer]


class Lfm2Step(nn.Module):
    """A token of an LFM2: ids [batch, 1], states of convolutions, and keys and values of its attention."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, conv: Tensor, keys: Tensor, values: Tensor) -> Any:
        config, held = self.model.config, keys.shape[2]
        cache = Lfm2HybridConvCache(config, input_ids.shape[0])
        cache.key_cache, cache.value_cache = [input_ids.new_zeros(0), keys], [input_ids.new_zeros(0), values]
        cache.conv_cache = [conv.clone(), conv.clone()]
        # Its convolutions ask whether there is a past by a position of their window; the attention has its own.
        logits = self.model(
            input_ids,
            attention_mask=input_ids.new_zeros(1, 1, 1, held + 1, dtype=keys.dtype),
            position_ids=torch.full_like(input_ids, held),
            past_key_values=cache,
            use_cache=True,
            cache_position=torch.tensor([config.conv_L_cache - 1]),
        ).logits
        return logits, cache.conv_cache[0], cache.key_cache[1], cache.value_cache[1]


def by_step(_: Model, made: nn.Module, out: Path) -> None:
    """torch.onnx.export of one token of a Mamba or an LFM2."""
    config, batch, past = made.config, 2, 5
    rows = {0: torch.export.Dim("batch")}
    shapes: list[dict[int, Any]]
    step: nn.Module
    if isinstance(made, transformers.Lfm2ForCausalLM):
        heads = (KEY_HEADS, past, SIZE)
        step, names = Lfm2Step(made), ["0.conv", "1.key", "1.value"]
        sizes: list[tuple[int, ...]] = [(WIDTH, config.conv_L_cache), heads, heads]
        grown = rows | {2: torch.export.Dim("past", min=2, max=POSITIONS)}
        shapes = [rows, grown, grown]
    else:
        step, names = MambaStep(made), [f"{layer}.{part}" for layer in range(LAYERS) for part in ("conv", "state")]
        sizes = [(config.intermediate_size, size) for size in (config.conv_kernel, config.state_size)] * LAYERS
        shapes = [rows for _ in sizes]
    states = [torch.randn(batch, *size) for size in sizes]
    torch.onnx.export(
        step,
        (torch.randint(3, WORDS, (batch, 1)), *states),
        str(out),
        input_names=["input_ids", *(f"past.{name}" for name in names)],
        output_names=["logits", *(f"present.{name}" for name in names)],
        dynamic_shapes=(rows, *shapes) if len(sizes) == 3 else (rows, tuple(shapes)),
        opset_version=18,
        dynamo=True,
        external_data=False,
        verbose=False,
    )


def _flat(cache: Any) -> list[Tensor]:
    return [each for layer in cache.layers for each in (layer.keys, layer.values)]


def by_torch(model: Model, made: nn.Module, out: Path) -> None:
    """torch.onnx.export of a step with past: ids of 3 tokens after 5."""
    batch, new, past = 2, 3, 5
    reads = model.task != "text-generation-with-past"
    config = made.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    if reads:
        heads = HEADS
    size = getattr(config, "head_dim", None) or getattr(config, "d_kv", None) or SIZE
    dims = {"batch": torch.export.Dim("batch")}
    # A table of positions, as GPT-2 has one, bounds them.
    dims |= {name: torch.export.Dim(name, max=POSITIONS) for name in ("sequence", "past")}
    held = [torch.randn(batch, heads, past, size) for _ in range(2 * LAYERS)]
    ids = torch.randint(3, WORDS, (batch, new))
    rows = {0: dims["batch"], 1: dims["sequence"]}
    grown = {0: dims["batch"], 2: dims["past"]}
    names = [f"{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]
    outputs = ["logits", *(f"present.{name}" for name in names)]
    step: nn.Module
    inputs: tuple[Tensor, ...]
    if reads:
        cross = [torch.randn(batch, heads, FRAMES, size) for _ in range(2 * LAYERS)]
        step, inputs = DecoderWithPast(made), (ids, *held, *cross)
        input_names = ["input_ids", *(f"past.{name}" for name in names), *(f"cross.{name}" for name in names)]
        shapes: Any = (rows, (*[grown for _ in held], *[{0: dims["batch"]} for _ in cross]))
    else:
        mask = torch.ones(batch, past + new, dtype=torch.long)
        positions = torch.arange(past, past + new)[None].repeat(batch, 1)
        step, inputs = WithPast(made), (ids, mask, positions, *held)
        input_names = ["input_ids", "attention_mask", "position_ids", *(f"past.{name}" for name in names)]
        total = {0: dims["batch"], 1: torch.export.Dim.DYNAMIC}
        shapes = (rows, total, rows, tuple(grown for _ in held))
    torch.onnx.export(
        step,
        inputs,
        str(out),
        input_names=input_names,
        output_names=outputs,
        dynamic_shapes=shapes,
        opset_version=18,
        dynamo=True,
        external_data=False,
        verbose=False,
    )


# optimum-onnx


def by_optimum(model: Model, made: nn.Module, out: Path) -> None:
    from optimum.exporters.onnx import onnx_export_from_model

    onnx_export_from_model(made, output=out, task=model.task, opset=18, do_validation=False)


# onnxruntime-genai


def by_genai(precision: str, _: Model, made: nn.Module, out: Path) -> None:
    """Its builder, on a folder that save_pretrained wrote, in a process of its own."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    with tempfile.TemporaryDirectory() as folder:
        made.save_pretrained(folder)
        _name_rotary(Path(folder) / "config.json")
        words = {f"w{at}": at for at in range(made.config.vocab_size)}
        tokenizer = Tokenizer(models.WordLevel(words, unk_token="w0"))
        PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(folder)
        line = [sys.executable, __file__, "--builder", "-i", folder, "-o", str(out), "-p", precision, "-e", "cpu"]
        done = subprocess.run([*line, "-c", f"{folder}/cache"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr else "the builder failed")


def _name_rotary(path: Path) -> None:
    """Says of a config without rope_scaling that it is the default: the builder reads what it has."""
    config = json.loads(path.read_text())
    if "rope_scaling" in config:
        config["rope_scaling"] = config["rope_scaling"] or {"rope_type": "default"}
    path.write_text(json.dumps(config))


def builder(arguments: Sequence[str]) -> None:
    """Runs the builder. It imports classes of releases of transformers that have more models than this one: where a
    class is not there, an empty one is given instead."""
    kind = type(transformers)
    found = kind.__getattr__

    def look_up(module: Any, name: str) -> Any:
        try:
            return found(module, name)
        except AttributeError:
            if module.__name__ == "transformers" and name[0].isupper():
                return type(name, (), {})
            raise

    kind.__getattr__ = look_up
    # It takes nothing but the three entries of "longrope", of which this config has none.
    transformers.Phi3Config._rope_scaling_validation = lambda _: None
    sys.argv = ["builder", *arguments]
    runpy.run_module("onnxruntime_genai.models.builder", run_name="__main__", alter_sys=True)


EXPORT: dict[str, Callable[[Model, nn.Module, Path], None]] = {
    "optimum": by_optimum,
    "dyn": by_torch,
    "step": by_step,
    "genai": partial(by_genai, "fp32"),
    "genai4": partial(by_genai, "int4"),
}


def main() -> int:
    if sys.argv[1:2] == ["--builder"]:
        builder(sys.argv[2:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="a pattern of <model>_<exporter>")
    parser.add_argument("--published", action="store_true", help="models of published sizes instead")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    warnings.filterwarnings("ignore")
    for name, model in (PUBLISHED if options.published else MODELS).items():
        for exporter in model.exporters:
            full = f"{name}_{exporter}"
            out = options.folder / (f"{full}.onnx" if exporter in ("dyn", "step") else full)
            if out.exists() or not re.search(options.only, full):
                continue
            try:
                EXPORT[exporter](model, model.make(), out)
                print(f"{full}: exported", flush=True)
            except Exception as error:
                print(f"{full}: {type(error).__name__}: {str(error).strip().splitlines()[0]:.300}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
