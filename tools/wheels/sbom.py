"""Writes the components of a wheel as a CycloneDX document."""

from __future__ import annotations

import hashlib
import re
import subprocess
import uuid
import zipfile
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement

from page_libraries import LIBRARIES, Library


def metadata_of(wheel: Path) -> Message:
    """The wheel's METADATA."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(archive.read(name))


def _library(name: str, version: str | None, license_name: str, url: PackageURL) -> Component:
    licenses = [LicenseFactory().make_from_string(license_name)] if license_name else []
    return Component(
        name=name, version=version, type=ComponentType.LIBRARY, purl=url, bom_ref=str(url), licenses=licenses
    )


def _of_npm(library: Library) -> Component:
    """A JavaScript library in reports."""
    scope, _, name = library.package.rpartition("/")
    url = PackageURL("npm", scope or None, name, library.version)
    return _library(library.title, library.version, library.license, url)


def bundled(builder: Path) -> list[Component]:
    """The libraries that are linked into binaries, and those in reports; `builder` is the Python with the build
    requirements."""
    config = ["llvm-config-22", "--version"]
    llvm = subprocess.run(config, check=True, capture_output=True, text=True).stdout.strip()
    asked = "import nanobind; print(nanobind.__version__, nanobind.__path__[0])"
    written = subprocess.run([builder, "-c", asked], check=True, capture_output=True, text=True).stdout
    nanobind, folder = written.strip().split(" ", 1)
    header = Path(folder, "ext/robin_map/include/tsl/robin_growth_policy.h").read_text()
    robin = ".".join(re.findall(r"define TSL_RH_VERSION_\w+ (\d+)", header))
    return [
        _library(
            *("MLIR and LLVM", llvm, "Apache-2.0 WITH LLVM-exception"),
            PackageURL("github", "llvm", "llvm-project", f"llvmorg-{llvm}"),
        ),
        _library("nanobind", nanobind, "BSD-3-Clause", PackageURL("pypi", None, "nanobind", nanobind)),
        _library("robin-map", robin, "MIT", PackageURL("github", "tessil", "robin-map", f"v{robin}")),
        *(_of_npm(library) for library in LIBRARIES),
    ]


def required(metadata: Message) -> list[Component]:
    """The dependencies that pip installs: version ranges, because no version is selected yet. Those of extras are
    optional."""
    parts: dict[str, Component] = {}
    for line in metadata.get_all("Requires-Dist", []):
        requirement = Requirement(line)
        optional = requirement.marker is not None and "extra" in str(requirement.marker)
        if requirement.name == metadata["Name"]:
            continue
        part = _library(requirement.name, None, "", PackageURL("pypi", None, requirement.name))
        part.scope = ComponentScope.OPTIONAL if optional else ComponentScope.REQUIRED
        part.properties = [Property(name="forge-mlir:range", value=str(requirement.specifier))]
        parts.setdefault(requirement.name, part)
    return list(parts.values())


def write_sbom(wheel: Path, builder: Path, source_date: str) -> Path:
    """Writes the document for `wheel` next to it, and returns its path. It is deterministic."""
    metadata = metadata_of(wheel)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    name, version = metadata["Name"], metadata["Version"]
    product = _library(name, version, metadata["License-Expression"], PackageURL("pypi", None, name, version))
    product.hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest)]
    inside, beside = bundled(builder), required(metadata)
    product.components = inside
    made = datetime.fromtimestamp(int(source_date), UTC)
    bom = Bom(
        components=beside,
        metadata=BomMetaData(component=product, timestamp=made),
        serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"{wheel.name}#{digest}"),
    )
    bom.register_dependency(product, [*inside, *beside])
    path = wheel.with_suffix(".cdx.json")
    path.write_text(JsonV1Dot6(bom).output_as_string(indent=2) + "\n", encoding="utf-8")
    return path
