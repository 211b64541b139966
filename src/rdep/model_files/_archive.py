"""Archive of a model file: checks that it is complete, unchanged, and holds data only.

The checks are in this order: the archive itself, the description's checksum and format, the
checksums of all members, the kinds of nodes and the classes that skops would construct. No object
is constructed before all checks have passed.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .._utils._imports import optional
from .._utils._typing import StrPath

# Increase it whenever the members or keys of a file, or the classes it names and their parameters,
# change so that another version could not read it. `format` and `versions` stay in the same place
# in every format, so that any version can report which version wrote a file.
FORMAT = 3
# Older formats that are no longer read, with advice. Other formats up to FORMAT are read.
_NO_LONGER_READ = dict.fromkeys(
    (1, 2), "was never released and is not read: fit the model again, and save it"
)
DESCRIPTION, CHECKSUM = "rdep.json", "rdep.sha256"
_CONTENT = {
    "format": int,
    "versions": dict,
    "schema": dict,
    "summary": dict,
    "probe_scores": list,
    "sha256": dict,
}
# The kinds of skops nodes that hold data. Nodes that call something (functions, methods, operators,
# partials, constructors) do not occur in a model, and old protocols have had vulnerabilities.
_DATA_NODES = {
    "CachedNode", "DTypeNode", "DictNode", "JsonNode", "ListNode", "LossNode", "NdArrayNode",
    "ObjectNode", "RandomGeneratorNode", "RandomStateNode", "SetNode", "SliceNode",
    "SparseMatrixNode", "TreeNode", "TupleNode", "TypeNode",
}  # fmt: skip
_OLDEST_PROTOCOL = 2


def checked_description(content: bytes, path: StrPath) -> dict[str, Any]:
    """Read the description after checking that the archive is complete and unchanged."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            # Members are stored uncompressed, so that their size cannot exceed that of the file.
            if any(member.compress_type != zipfile.ZIP_STORED for member in members) or sum(
                member.file_size for member in members
            ) > len(content):
                raise ValueError(
                    f"{path} is refused: its uncompressed size exceeds the file size (possible zip "
                    "bomb)"
                )
            names = [member.filename for member in members]
            if DESCRIPTION not in names or CHECKSUM not in names:
                raise ValueError(f"{path} is not a model file of rdep")
            text = archive.read(DESCRIPTION)
            if sha256(text).encode() != archive.read(CHECKSUM):
                raise ValueError(f"{path} is damaged: the checksum of {DESCRIPTION} is wrong")
            description = json.loads(text)
            _check_format(description["format"], description["versions"]["rdep"], path)
            if {name: type(value) for name, value in description.items()} != _CONTENT:
                raise ValueError(
                    f"{path} is damaged: its description lacks the keys of format {FORMAT}"
                )
            _check_members(archive, names, description["sha256"], path)
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is damaged: its description cannot be read") from error
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, struct.error) as error:
        raise ValueError(f"{path} is damaged or cut off ({error})") from error
    return description


def _check_format(number: Any, writer: str, path: StrPath) -> None:
    if type(number) is not int or number < 1:
        raise ValueError(f"{path} is damaged: its format is {number!r}, not a positive integer")
    if number > FORMAT:
        raise ValueError(
            f"{path} was written by rdep {writer}, in format {number}, a newer format than this "
            f"version reads ({FORMAT}): upgrade rdep"
        )
    if number in _NO_LONGER_READ:
        raise ValueError(
            f"{path} was written by rdep {writer}, in format {number}, which "
            f"{_NO_LONGER_READ[number]}"
        )


def _check_members(
    archive: zipfile.ZipFile, names: list[str], sums: dict[str, str], path: StrPath
) -> None:
    if sorted(names) != sorted([*sums, DESCRIPTION, CHECKSUM]):
        raise ValueError(f"{path} is damaged: its members are not those that it lists")
    for name, expected in sums.items():
        if sha256(archive.read(name)) != expected:
            raise ValueError(f"{path} is damaged: the checksum of {name} is wrong")


def untrusted_types(content: bytes, path: StrPath) -> set[str]:
    """List the types in the archive that skops does not trust, without constructing any object."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            tree = json.loads(archive.read("schema.json"))
        calling = {node["__loader__"] for node in _nodes(tree)} - _DATA_NODES
        if calling or tree["protocol"] < _OLDEST_PROTOCOL:
            raise ValueError(
                f"{path} is refused: it holds more than data "
                f"({', '.join(sorted(map(str, calling))) or 'an old protocol'})"
            )
        return set(skops_io().get_untrusted_types(data=content))
    except (KeyError, TypeError, RecursionError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} is refused: it is not a proper skops archive") from error


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    left = [tree]
    while left:
        item = left.pop()
        if isinstance(item, dict):
            if "__loader__" in item:
                yield item
            item = list(item.values())
        if isinstance(item, list):
            left.extend(reversed(item))


def renumbered(content: bytes) -> dict[str, bytes]:
    """Members of a skops archive by name, with objects numbered in order.

    skops uses the addresses of objects as numbers and names of arrays. They differ in every run,
    so equal models would result in different files.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    tree = json.loads(members.pop("schema.json"))
    numbers: dict[int, int] = {}
    renamed: dict[str, bytes] = {}
    for item in _nodes(tree):
        item["__id__"] = numbers.setdefault(item["__id__"], len(numbers))
        if "file" in item:
            suffix = item["file"].rpartition(".")[2]
            new = f"{item['__id__']}.{suffix}"
            renamed[new] = members[item["file"]]
            item["file"] = new
    return {**renamed, "schema.json": json.dumps(tree, indent=1).encode()}


def packed(members: dict[str, bytes]) -> bytes:
    """Create an archive of the members, uncompressed and without the time of writing."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def skops_io() -> ModuleType:
    """Import skops.io, or raise an error that says how to install it."""
    return optional("skops.io", "a model file", "cli")
