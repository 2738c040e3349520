#!/bin/sh
# Builds the image $1 of the Containerfile with podman or docker, whichever is there, and compiles a model in it.
set -eu
cd "$(dirname "$0")/.."
if ! command -v podman >/dev/null && ! command -v docker >/dev/null; then
  sh tools/install-debian-packages.sh podman
fi
tool=$(command -v podman || command -v docker)
"$tool" build -t "$1" -f Containerfile .
"$tool" run --rm -v "$PWD/models:/models:ro" "$1" inspect /models/gpt2_block/model.onnx
"$tool" run --rm -v "$PWD/models:/models:ro" "$1" compile /models/gpt2_block/model.onnx -o /tmp/out
