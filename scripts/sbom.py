#!/usr/bin/env python3
"""The bill of materials of the program, as CycloneDX 1.5, from `cargo metadata`: what is linked, its version, licence, source.

    scripts/sbom.py > qiguan.cdx.json
"""

import json
import pathlib
import subprocess
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    told = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--locked"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    metadata = json.loads(told)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(id for id, package in packages.items() if package["name"] == "cli")
    sums = checksums()

    def linked(id):
        kinds = nodes[id]["deps"]
        return [dep["pkg"] for dep in kinds if any(kind["kind"] is None for kind in dep["dep_kinds"])]

    found, todo = [], [root]
    while todo:
        id = todo.pop()
        if id not in found:
            found.append(id)
            todo.extend(linked(id))
    found.sort(key=lambda id: (packages[id]["name"], packages[id]["version"]))

    def component(id):
        package = packages[id]
        name, version = package["name"], package["version"]
        told = {"type": "library", "bom-ref": ref(package), "name": name, "version": version}
        if package.get("license"):
            told["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if package["source"]:
            told["purl"] = ref(package)
            digest = sums.get((name, version))
            if digest:
                told["hashes"] = [{"alg": "SHA-256", "content": digest}]
        if package.get("repository"):
            told["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
        return told

    program = component(root) | {"type": "application", "name": "qiguan"}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, (ROOT / 'Cargo.lock').read_text(encoding='utf-8'))}",
        "version": 1,
        "metadata": {"component": program},
        "components": [component(id) for id in found if id != root],
        "dependencies": [{"ref": ref(packages[id]), "dependsOn": sorted(ref(packages[d]) for d in linked(id))} for id in found],
    }
    print(json.dumps(bill, indent=1, ensure_ascii=False))


def ref(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def checksums():
    """What Cargo.lock says the packages hash to."""
    found, name, version = {}, None, None
    for line in (ROOT / "Cargo.lock").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" = ")
        if key == "name":
            name = value.strip('"')
        elif key == "version":
            version = value.strip('"')
        elif key == "checksum":
            found[name, version] = value.strip('"')
    return found


if __name__ == "__main__":
    main()
