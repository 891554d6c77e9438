"""limber mesh asset: asset_test.py LIMBER. Names, files, repeatability and refusals."""
import json
import pathlib
import subprocess
import sys
import tempfile

LIMBER = sys.argv[1]


def limber(*arguments, code=0):
    done = subprocess.run([LIMBER, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done


def lists(_):
    names = [row["name"] for row in json.loads(limber("mesh", "asset", "--list", "--json").stdout)["assets"]]
    assert len(names) == 9 and "humanoid" in names, names
    assert "overlapped" in limber("mesh", "asset", "--list").stdout


def paints_and_coordinates(folder):
    limber("mesh", "asset", "duck", "--triangles", 2000, "-o", folder / "duck.obj")
    obj, mtl = (folder / "duck.obj").read_text(), (folder / "duck.mtl").read_text()
    assert "mtllib duck.mtl" in obj and "usemtl orange" in obj and "\nvt " in obj and "written by limber" in obj
    assert mtl.count("newmtl") == 3
    info = json.loads(limber("mesh", "info", folder / "duck.obj", "--json").stdout)
    assert 1500 < info["faces"] < 2500, info


def several_surfaces(folder):
    limber("mesh", "asset", "organ", "--triangles", 2000, "-o", folder / "organ.stl")
    assert (
        (folder / "organ_liver.stl").exists()
        and (folder / "organ_vessel.stl").exists()
        and not (folder / "organ.stl").exists()
    )
    limber("mesh", "asset", "organ", "--triangles", 2000, "--surface", "vessel", "-o", folder / "v.ply")
    assert (folder / "v.ply").exists()
    assert (
        "liver, vessel"
        in limber("mesh", "asset", "organ", "--surface", "spleen", "-o", folder / "x.ply", code=2).stderr
    )


def dirt_repeats(folder):
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        limber(
            "mesh",
            "asset",
            "ball",
            "--triangles",
            1000,
            "--dirty",
            "combined",
            "--seed",
            seed,
            "-o",
            folder / f"{name}.obj",
        )
    a, b, c = ((folder / f"{name}.obj").read_text() for name in "abc")
    assert a == b and a != c


def model(folder):
    told = json.loads(limber("mesh", "asset", "humanoid", "--triangles", 2000, "-o", folder / "h.glb", "--json").stdout)
    assert told["joints"] == 21 and told["clips"] == 2, told
    assert (folder / "h.glb").read_bytes()[:4] == b"glTF"


def refusals(folder):
    assert "duck" in limber("mesh", "asset", "dukc", "-o", folder / "x.obj", code=2).stderr
    assert "flipped" in limber("mesh", "asset", "duck", "--dirty", "fliped", "-o", folder / "x.obj", code=2).stderr
    for bad in (
        ["duck"],
        ["-o", folder / "x.obj"],
        ["duck", "-o", folder / "x.msh"],
        ["duck", "-o", folder / "x.glb", "--dirty", "soup"],
        ["duck", "-o", folder / "x.obj", "--triangles", 3],
    ):
        error = limber("mesh", "asset", *bad, code=2).stderr
        assert len(error.strip().splitlines()) == 1, error
    assert not any(folder.iterdir())


for case in (lists, paints_and_coordinates, several_surfaces, dirt_repeats, model, refusals):
    with tempfile.TemporaryDirectory() as name:
        case(pathlib.Path(name))
print("ok")
