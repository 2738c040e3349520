"""The language models for language_models.py: small and published configurations of transformers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import transformers
from torch import nn

WORDS, LAYERS, HEADS, KEY_HEADS, SIZE, POSITIONS = 512, 2, 4, 2, 16, 512
WIDTH = HEADS * SIZE
WINDOW = 32
FRAMES = 24
"""The number of positions of the encoder's states."""


@dataclass(frozen=True)
class Model:
    """A model class of transformers, its configuration, and the exporters to try."""

    kind: str
    config: dict[str, Any]
    exporters: tuple[str, ...] = ("optimum", "dyn", "genai")
    task: str = "text-generation-with-past"
    seed: int = 0
    """A seed for which greedy tokens do not repeat soon."""

    def make(self) -> nn.Module:
        """The model with random weights."""
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
    "bloom": Model(
        "BloomForCausalLM",
        {"vocab_size": WORDS, "hidden_size": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "initializer_range": 0.2},
        ("optimum", "dyn"),
    ),
    "cohere": Model("CohereForCausalLM", _decoder(use_qk_norm=True, logit_scale=0.25), ("optimum", "dyn")),
    "gptj": Model(
        "GPTJForCausalLM",
        {"vocab_size": WORDS, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "rotary_dim": 8}
        | {"n_positions": POSITIONS, "initializer_range": 0.2},
        ("optimum", "dyn"),
    ),
    "gptoss": Model(
        "GptOssForCausalLM",
        _decoder(
            head_dim=SIZE,
            num_local_experts=4,
            num_experts_per_tok=2,
            sliding_window=8,
            layer_types=["sliding_attention", "full_attention"],
        ),
        ("optimum",),
    ),
    "mpt": Model(
        "MptForCausalLM",
        {"vocab_size": WORDS, "d_model": WIDTH, "n_layers": LAYERS, "n_heads": HEADS, "max_seq_len": POSITIONS}
        | {"initializer_range": 0.2},
        ("optimum", "dyn"),
    ),
    "opt": Model(
        "OPTForCausalLM",
        {"vocab_size": WORDS, "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "ffn_dim": 128, "init_std": 0.2}
        | {"num_attention_heads": HEADS, "max_position_embeddings": POSITIONS, "word_embed_proj_dim": 32},
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
    """Two layers of a model with its published width and vocabulary."""
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
