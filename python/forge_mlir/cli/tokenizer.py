"""Converts text to tokens and back with a tokenizer.json of the package tokenizers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, shortened
from forge_mlir.support.json_text import json_object

_LARGEST = 1 << 28
"""The largest tokenizer.json, in bytes; one with a vocabulary of 250,000 has 35 MB."""


def eos_tokens(tokenizer: Path) -> list[int]:
    """The tokens that end a text: `eos_token_id` of the first of generation_config.json and config.json in the
    directory of `tokenizer` that has one; none if no file has one. Raises ForgeError for files that are not in the form
    of the package transformers."""
    folder = tokenizer if tokenizer.is_dir() else tokenizer.parent
    for file in (folder / "generation_config.json", folder / "config.json"):
        if not file.is_file():
            continue
        try:
            found = json_object(file.read_bytes()[:_LARGEST]).get("eos_token_id")
        except (OSError, ValueError) as error:
            raise ForgeError(Code.FileUnreadable, f"{shortened(file)}: is no JSON object: {escaped(error)}") from error
        tokens = found if isinstance(found, list) else [] if found is None else [found]
        if not all(type(token) is int and token >= 0 for token in tokens):
            raise ForgeError(
                Code.FileUnreadable,
                f"{shortened(file)}: expected eos_token_id to be a token or a list of tokens, but got "
                f"{shortened(found)}",
            )
        if tokens:
            return tokens
    return []


class Words:
    """The tokenizer in a file, or in tokenizer.json of a directory, and the text so far. Raises ForgeError if it is
    missing or damaged, and for text that it cannot encode."""

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._file = path / "tokenizer.json" if path.is_dir() else path
        if not self._file.is_file():
            raise ForgeError(
                Code.FileUnreadable,
                f"{shortened(self._file)}: there is no such file; --tokenizer takes a tokenizer.json or its directory",
            )
        if self._file.stat().st_size > _LARGEST:
            raise ForgeError(Code.FileUnreadable, f"{shortened(self._file)}: it has more than {_LARGEST} bytes")
        with self._converted_errors():
            self._tokenizer = Tokenizer.from_file(str(self._file))
        self._printed = ""

    @contextmanager
    def _converted_errors(self) -> Iterator[None]:
        """Converts errors: the package raises plain Exception, and BaseException if its native code panics."""
        try:
            yield
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            raise ForgeError(Code.FileUnreadable, f"{shortened(self._file)}: {escaped(error)}") from error

    def encode(self, text: str) -> list[int]:
        with self._converted_errors():
            return list(self._tokenizer.encode(text).ids)

    def texts(self, made: Sequence[Sequence[int]]) -> list[str]:
        """The text of each row, unescaped."""
        with self._converted_errors():
            return [str(self._tokenizer.decode(list(row))) for row in zip(*made, strict=True)]

    def strange(self, made: Sequence[Sequence[int]]) -> list[int]:
        """The tokens that the tokenizer does not know; the text omits them."""
        return [token for row in made for token in row if self._tokenizer.id_to_token(token) is None]

    def next(self, made: Sequence[Sequence[int]]) -> str:
        """The text that the last token adds to the first row, without a character that is incomplete."""
        text = self.texts([row[:1] for row in made])[0].rstrip("\ufffd")
        if not text.startswith(self._printed):
            return ""
        added, self._printed = text[len(self._printed) :], text
        return printable(added)


def printable(text: str) -> str:
    """`text` with control characters escaped for a terminal."""
    return re.sub(r"[^\n\t]", lambda one: one[0] if one[0].isprintable() else escaped(one[0]), text)
