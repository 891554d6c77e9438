#!/usr/bin/env python3
"""The Khronos validator finds no error in our GLB files: gltf_test.py LIMBER NODE_FOLDER."""
import pathlib
import subprocess
import sys
import tempfile

import node_tools
import shown

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import looks_model  # noqa: E402

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())


def models(folder):
    recording = shown.record(LIMBER, folder)
    egg, plain = shown.artist_surface(folder), shown.artist_surface(folder, with_normals=False)
    for name, options in {
        "boundary": [],
        "four_targets": ["--targets", 4],
        "every_frame": ["--every-frame"],
        "blender": ["--blender"],
        "still": ["--time", 0.1],
        "rest": ["--time", 0],
        "egg": ["--match", egg],
        "plain_egg": ["--match", plain, "--blender"],
        "egg_every_frame": ["--match", egg, "--every-frame"],
    }.items():
        path = folder / f"{name}.glb"
        shown.limber(LIMBER, "export", recording, "--to", "glb", "-o", path, "--quiet", *options)
        yield path
    # Skins and clips, where this limber makes figures of its own.
    figure = folder / "humanoid.glb"
    if (
        subprocess.run(
            [LIMBER, "mesh", "asset", "humanoid", "-o", str(figure)], capture_output=True, timeout=120
        ).returncode
        == 0
    ):
        yield figure
        # Flesh as morph targets on skinned meshes, with animated weights, for one and for two signs.
        for name, options in {
            "dyrt": [],
            "dyrt_three": ["--for", "three"],
            "dyrt_blender": ["--for", "blender", "--whole"],
        }.items():
            yield shown.jiggling(LIMBER, folder, figure, name, *options)


def with_every_look(folder):
    """Own targets at 30 keys a second beside flesh, and every look there is.

    The source itself is warned of (KTX2, a data URI): errors count."""
    for curve in ("LINEAR", "STEP", "CUBICSPLINE"):
        model = folder / f"looks_{curve.lower()}.glb"
        looks_model.make(model, curve=curve, odd=True)
        yield model
        for name, options in {"flesh": [], "whole": ["--whole", "--for", "three"]}.items():
            out = folder / f"looks_{curve.lower()}_{name}.glb"
            shown.limber(
                LIMBER,
                "dyrt",
                model,
                "--flesh",
                "soft=paint:_SOFT",
                "--cells",
                1500,
                "--modes",
                2,
                "--no-error",
                "--no-page",
                *options,
                "-o",
                out,
            )
            yield out
    mended = folder / "looks_mended.glb"
    shown.limber(LIMBER, "mesh", "doctor", model, "--fix", "-o", mended)
    yield mended


def main():
    tools = node_tools.install(sys.argv[2])
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        looks = list(with_every_look(pathlib.Path(temporary)))
        paths = [*models(pathlib.Path(temporary)), *looks]
        for path, issues in node_tools.node(tools, "gltf_validate.mjs", *paths).items():
            print(
                f"{pathlib.Path(path).name:22} {issues['numErrors']} errors, {issues['numWarnings']} warnings, {issues['numInfos']} infos"
            )
            for message in issues["messages"]:
                if message["severity"] <= 1:
                    print("   ", message["code"], message["message"], message.get("pointer"))
            failed += issues["numErrors"] + (0 if pathlib.Path(path) in looks else issues["numWarnings"])
        # A validator that cannot find anything would pass everything.
        broken = pathlib.Path(temporary) / "broken.glb"
        broken.write_bytes(paths[0].read_bytes().replace(b'"max":[', b'"mxx":[', 1))
        if node_tools.node(tools, "gltf_validate.mjs", broken)[str(broken)]["numErrors"] == 0:
            print("FAILED: the validator does not see a missing bound")
            failed += 1
    if failed:
        print(f"FAILED: {failed} errors or warnings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
