#!/usr/bin/env python3
"""Materials, textures, samplers and pictures go through every verb that writes a GLB as they are.

looks_test.py LIMBER SCENES. Standard library only."""
import json
import pathlib
import shutil
import sys
import tempfile

from driver import check, failures, fails, run
import looks_model

QUICK = ["--flesh", "soft=paint:_SOFT", "--cells", 1500, "--modes", 2, "--no-error", "--no-page"]


def succeeds(*arguments):
    done = run(*arguments)
    check(done.returncode == 0, f"{arguments} succeeds: {done.stderr}")
    return done


def without_place(image):
    return {k: v for k, v in image.items() if k != "bufferView"}


def same_looks(verb, before, bytes_before, path):
    """The bar: the same JSON but for bufferView numbers, the same bytes."""
    after, binary = looks_model.read(path)
    for name in ("materials", "textures", "samplers"):
        check(after.get(name) == before[name], f"{verb}: the same {name}: {json.dumps(after.get(name))[:600]}")
    check(len(after["images"]) == len(before["images"]), f"{verb}: as many images")
    for old, new, data in zip(before["images"], after["images"], bytes_before):
        check(looks_model.image_bytes(after, binary, new) == data, f"{verb}: the bytes of {old.get('name')}")
        if "bufferView" in old or old["uri"].startswith("data:") and "uri" in new:
            check(without_place(new) == without_place(old), f"{verb}: the image {new} is {old}")
        else:
            kept = {k: v for k, v in old.items() if k != "uri"}
            check(
                new["mimeType"] == "image/png" and all(new[k] == v for k, v in kept.items()) and "uri" not in new,
                f"{verb}: a file beside becomes part of the GLB: {new}",
            )
    used = [
        e
        for e in before["extensionsUsed"]
        if e.startswith(("KHR_materials_", "KHR_texture", "EXT_texture")) and e != "KHR_materials_variants"
    ]
    check(set(used) <= set(after["extensionsUsed"]), f"{verb}: extensionsUsed: {after.get('extensionsUsed')}")
    check(
        after.get("extensionsRequired") == before["extensionsRequired"],
        f"{verb}: extensionsRequired: {after.get('extensionsRequired')}",
    )
    return after, binary


def same_attributes(verb, before, bin_before, after, bin_after, names):
    """Every vertex written has the numbers of a vertex of the source at its place, with its normal and texture coordinates."""

    def rows(doc, binary, primitive):
        lists = [
            looks_model.numbers(doc, binary, primitive["attributes"][n]) for n in ("POSITION", "TEXCOORD_0", *names)
        ]
        return zip(*lists)

    known = {}
    for mesh in before["meshes"]:
        for p in mesh["primitives"]:
            for row in rows(before, bin_before, p):
                known.setdefault(row[:2], []).append(row[2:])

    def there(row):
        return any(
            all(abs(x - y) < 1e-6 for a, b in zip(row[2:], old) for x, y in zip(a, b)) for old in known.get(row[:2], [])
        )

    for mesh in after["meshes"]:
        for primitive in mesh["primitives"]:
            missing = [n for n in names if n not in primitive["attributes"]]
            check(not missing, f"{verb}: {mesh['name']} has {missing}")
            if not missing:
                strange = [row for row in rows(after, bin_after, primitive) if not there(row)]
                check(
                    not strange,
                    f"{verb}: {mesh['name']}: {len(strange)} vertices with other numbers, such as {strange[:1]}",
                )


NAMES = ("TEXCOORD_1", "TEXCOORD_2", "TANGENT", "COLOR_0", "_WIND")


def same_scene(verb, before, after):
    for name in ("cameras", "extensions", "extras"):
        check(after.get(name) == before[name], f"{verb}: {name}: {after.get(name)}")
    check(
        after["asset"]["copyright"] == "nobody" and after["asset"]["extras"]["author"] == "a test",
        f"{verb}: who made it: {after['asset']}",
    )
    check(
        after["scenes"][0]["name"] == "all" and after["scenes"][0]["extras"] == {"sky": "grey"},
        f"{verb}: the scene: {after['scenes']}",
    )
    nodes = {n["name"]: n for n in after["nodes"]}
    for old in before["nodes"]:
        for key in ("extras", "extensions", "camera", "translation"):
            check(
                nodes[old["name"]].get(key) == old.get(key),
                f"{verb}: {key} of the node {old['name']}: {nodes[old['name']]}",
            )
    check(any(m["name"] == "stone" for m in after["meshes"]), f"{verb}: meshes without a skin stay")
    check(
        after["skins"][0]["skeleton"] == 0 and after["skins"][0]["name"] == "limb",
        f"{verb}: the skin: {after['skins']}",
    )
    check(
        [a["name"] for a in after["animations"]][:2] == ["swing", "lamp only"]
        and after["animations"][0]["extras"] == {"loop": True},
        f"{verb}: animations",
    )
    mapped = [
        p for m in after["meshes"] for p in m["primitives"] if "KHR_materials_variants" in p.get("extensions", {})
    ]
    source = before["meshes"][0]["primitives"][0]
    check(
        mapped and all(p["extensions"] == source["extensions"] and p["extras"] == source["extras"] for p in mapped),
        f"{verb}: variants of a primitive",
    )


def test_each_verb(folder):
    """dyrt (flesh cut out, and whole), mesh doctor --fix, export --to glb on the model: in binary and as text with files beside it."""
    for kind in ("glb", "gltf"):
        here = folder / kind
        here.mkdir()
        model = here / f"all.{kind}"
        before, pictures = looks_model.make(model, odd=True)
        source = looks_model.read(model) if kind == "glb" else (before, (here / "all.bin").read_bytes())
        scene = {
            "format": 1,
            "name": "limb",
            "bodies": [
                {
                    "mesh": {"path": model.name, "cells": 300},
                    "materials": [{"young": 2e4, "poisson": 0.4, "density": 1000}],
                    "anchors": [{"set": "bottom"}],
                }
            ],
            "gravity": [0, -2, 0],
            "method": {"name": "linear_fem"},
            "step": 0.05,
            "duration": 0.1,
        }
        (here / "limb.json").write_text(json.dumps(scene))
        succeeds("run", here / "limb.json", "-o", here / "limb.limber")
        verbs = {
            "dyrt": ["dyrt", model, *QUICK],
            "dyrt --whole": ["dyrt", model, *QUICK, "--whole", "--for", "three"],
            "doctor": ["mesh", "doctor", model, "--fix"],
            "export --match": ["export", here / "limb.limber", "--to", "glb", "--match", model],
            "export": ["export", here / "limb.limber", "--to", "glb"],
        }
        for number, (verb, arguments) in enumerate(verbs.items()):
            out = here / f"out{number}.glb"
            succeeds(*arguments, "-o", out)
            after, binary = same_looks(f"{kind}, {verb}", before, pictures, out)
            same_attributes(f"{kind}, {verb}", *source, after, binary, NAMES)
            same_scene(f"{kind}, {verb}", before, after)
        # The recording's own copy, where the file is gone: no nodes, but the looks and what they need.
        model.rename(here / "elsewhere")
        done = succeeds("export", here / "limb.limber", "--to", "glb", "-o", here / "copy.glb")
        check("is not there any more" in done.stderr, f"the copy is told: {done.stderr}")
        after, binary = same_looks(f"{kind}, a recording's copy", before, pictures, here / "copy.glb")
        check(
            all(
                {"TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2", "COLOR_0"} <= set(p["attributes"])
                for m in after["meshes"]
                for p in m["primitives"]
            ),
            "the copy has what its looks need",
        )
        # What limber wrote, it writes again with the same looks.
        succeeds("mesh", "doctor", here / "out0.glb", "--fix", "-o", here / "again.glb")
        check(looks_model.read(here / "again.glb")[0]["materials"] == before["materials"], "and again")


def test_missing_pictures(folder):
    model = folder / "all.gltf"
    looks_model.make(model)
    shutil.rmtree(folder / "pictures")
    words = "a picture is missing: the file 'pictures/side by side.png' is not there"
    done = succeeds("rig", "info", model)
    check(words in done.stdout, f"rig info goes on and says so: {done.stdout}")
    for verb in (
        ["mesh", "info", model],
        ["mesh", "doctor", model],
        ["mesh", "solid", model, "--cells", 200, "-o", folder / "x.vtu"],
        ["rig", "pose", model, "-o", folder / "x.obj"],
    ):
        succeeds(*verb)
    done = succeeds("dyrt", model, *QUICK, "-o", folder / "flesh.glb")
    check(words in done.stdout + done.stderr, f"dyrt says it: {done.stdout} {done.stderr}")
    image = looks_model.read(folder / "flesh.glb")[0]["images"][4]
    check(
        image == {"uri": "pictures/side%20by%20side.png", "extras": {"kept": True}},
        f"and names the file as before: {image}",
    )
    check(
        words in succeeds("mesh", "doctor", model, "--fix", "-o", folder / "mended.glb").stderr,
        "so does the doctor that writes",
    )
    if "cannot be drawn" not in run("render", model, "-o", folder / "x.png").stderr:
        done = succeeds("render", model, "--size", "160x120", "-o", folder / "x.png")
        check(words in done.stderr and "drawn without it" in done.stderr, f"render draws the rest: {done.stderr}")
    # A name that leads out of the folder is not opened, and the geometry is read all the same.
    (folder.parent / "secret.png").write_bytes(b"\x89PNG of somebody else")
    model.write_text(model.read_text().replace("pictures/side%20by%20side.png", "../secret.png"))
    done = succeeds("mesh", "doctor", model, "--fix", "-o", folder / "mended.glb")
    check(
        "leads elsewhere" in done.stderr and b"somebody else" not in (folder / "mended.glb").read_bytes(),
        f"nothing of it is in what is written: {done.stderr}",
    )
    fails("rig", "info", folder / "none.gltf", words=["none.gltf"])


def sampled(doc, binary, sampler, time, width):
    """A curve of weights as glTF defines it."""
    times = [t[0] for t in looks_model.numbers(doc, binary, sampler["input"])]
    flat = [v[0] for v in looks_model.numbers(doc, binary, sampler["output"])]
    cubic = sampler.get("interpolation", "LINEAR") == "CUBICSPLINE"
    per = 3 * width if cubic else width
    value = lambda k: flat[k * per + (width if cubic else 0) :][:width]  # noqa: E731
    if time <= times[0] or time >= times[-1]:
        return value(0 if time <= times[0] else len(times) - 1)
    k = next(i for i in range(len(times) - 1) if times[i] <= time < times[i + 1])
    u, h = (time - times[k]) / (times[k + 1] - times[k]), times[k + 1] - times[k]
    if sampler.get("interpolation") == "STEP":
        return value(k)
    if not cubic:
        return [(1 - u) * a + u * b for a, b in zip(value(k), value(k + 1))]
    out, into = flat[k * per + 2 * width :][:width], flat[(k + 1) * per :][:width]
    return [
        (2 * u**3 - 3 * u**2 + 1) * a
        + h * (u**3 - 2 * u**2 + u) * m
        + (3 * u**2 - 2 * u**3) * b
        + h * (u**3 - u**2) * n
        for a, b, m, n in zip(value(k), value(k + 1), out, into)
    ]


def own_curves(doc, node_names):
    for channel in doc["animations"][0]["channels"]:
        if channel["target"]["path"] == "weights":
            yield node_names[channel["target"]["node"]], doc["animations"][0]["samplers"][channel["sampler"]]


def test_own_targets(folder):
    """Own targets at 30 keys a second (and odd rates) beside flesh at 60: keys ascend in 32 bits, and the own ones play as before."""
    every_way = ([], ["--whole", "--for", "three"], ["--for", "blender"])
    for curve, rate, ways in (
        ("LINEAR", 30, every_way),
        ("LINEAR", 29.97, every_way[:1]),
        ("STEP", 24, every_way[:2]),
        ("CUBICSPLINE", 30, every_way[1:2]),
        ("CUBICSPLINE", 7, every_way[:1]),
    ):
        name = f"{curve} at {rate}"
        before, binary_before = looks_model.read(written(folder / "own.glb", curve=curve, rate=rate, odd=True))
        reference = dict(own_curves(before, [n["name"] for n in before["nodes"]]))["body"]
        for options in ways:
            out = folder / "flesh.glb"
            succeeds("dyrt", folder / "own.glb", *QUICK, *options, "-o", out)
            doc, binary = looks_model.read(out)
            meshes = {n["name"]: doc["meshes"][n["mesh"]] for n in doc["nodes"] if "mesh" in n}
            moved = 0
            for node, sampler in own_curves(doc, [n["name"] for n in doc["nodes"]]):
                times = [t[0] for t in looks_model.numbers(doc, binary, sampler["input"])]
                check(all(a < b for a, b in zip(times, times[1:])), f"{name}, {options}, {node}: times ascend")
                width = len(meshes[node]["weights"])
                moved += width > 2
                check(
                    meshes[node]["extras"]["targetNames"][:2] in (["smile", "frown"], ["", ""]),
                    f"{name}: own targets come first: {meshes[node]['extras']}",
                )
                jumps = (
                    [t[0] for t in looks_model.numbers(before, binary_before, reference["input"])]
                    if curve == "STEP"
                    else []
                )
                for t in [0.0013 + 0.01731 * i for i in range(60)]:
                    if any(abs(t - j) < 1e-5 for j in jumps):
                        continue
                    old, new = (
                        sampled(before, binary_before, reference, t, 2),
                        sampled(doc, binary, sampler, t, width)[:2],
                    )
                    off = max(abs(a - b) for a, b in zip(old, new))
                    if not off < 2e-6:
                        check(False, f"{name}, {options}, {node}: at {t} s own targets are off by {off}")
                        break
            check(moved >= 2 or "--whole" in options, f"{name}, {options}: flesh of two meshes has weights: {moved}")


def written(path, **how):
    looks_model.make(path, **how)
    return path


def main():
    for test in (test_each_verb, test_missing_pictures, test_own_targets):
        with tempfile.TemporaryDirectory() as temporary:
            test(pathlib.Path(temporary))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
