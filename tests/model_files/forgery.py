"""Model files as an attacker would write them."""

import io
import json
import zipfile

from rdep.model_files._archive import CHECKSUM, DESCRIPTION, sha256


def forged(content, change_tree=None, change_description=None, replace_member=()):
    """The file with changes and with checksums that fit them, as an attacker would do."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if change_tree:
        tree = json.loads(members["schema.json"])
        change_tree(tree)
        members["schema.json"] = json.dumps(tree).encode()
    members.update(replace_member)
    description = json.loads(members.pop(DESCRIPTION))
    del members[CHECKSUM]
    description["sha256"] = {name: sha256(data) for name, data in members.items()}
    if change_description:
        change_description(description)
    members[DESCRIPTION] = json.dumps(description).encode()
    members[CHECKSUM] = sha256(members[DESCRIPTION]).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def node(loader, module, name, **rest):
    return {"__loader__": loader, "__module__": module, "__class__": name, "__id__": -1, **rest}


def json_node(value):
    return node("JsonNode", "builtins", "str", content=json.dumps(value), is_json=True)
