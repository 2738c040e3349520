#!/bin/sh
# Installs the Debian packages named on the command line that are missing; without root or sudo, says which.
set -eu
missing=
for package in "$@"; do
  dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
# Python from elsewhere brings its own headers and venv; Debian's has them in packages.
if ! "${PYTHON:-python3}" -c 'import ensurepip, pathlib, sysconfig; assert (pathlib.Path(sysconfig.get_path("include")) / "Python.h").is_file()' 2>/dev/null; then
  missing="$missing python3-dev python3-venv"
fi
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then
  run=
elif command -v sudo >/dev/null 2>&1; then
  run=sudo
else
  echo "error: missing Debian packages:$missing (install them as root, then run make again)" >&2
  exit 1
fi
echo "installing Debian packages:$missing"
$run apt-get update -qq
# shellcheck disable=SC2086
$run env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
