"""limber static: closed forms computed here, both methods, and what it refuses."""
import json
import math
import pathlib
import sys
import tempfile

from driver import as_json, check, failures, fails, run

SCENES = pathlib.Path(sys.argv[2]) / "static"


def solve(name, *sets):
    arguments = ["static", SCENES / f"{name}.json"]
    for one in sets:
        arguments += ["--set", one]
    return as_json(*arguments)


def probe(answer, name):
    return next(p for p in answer["probes"] if p["name"] == name)


def near(value, exact, tolerance, what):
    check(
        abs(value - exact) <= tolerance * max(abs(exact), 1e-300),
        f"{what}: {value:.8g}, exactly {exact:.8g}, off by {abs(value / exact - 1) if exact else abs(value):.2g}",
    )


def radial(p):
    """Displacement and stress along the radius and across it, from the middle outwards."""
    x, y, _ = p["point"]
    r = math.hypot(x, y)
    c, s = x / r, y / r
    t = p["stress"]
    return (
        r,
        p["displacement"][0] * c + p["displacement"][1] * s,
        t["xx"] * c * c + t["yy"] * s * s + 2 * t["xy"] * c * s,
        t["xx"] * s * s + t["yy"] * c * c - 2 * t["xy"] * c * s,
    )


def lame(r, nu=0.3):
    e, p, a, b = 2e5, 1000.0, 1.0, 2.0
    k = p * a * a / (b * b - a * a)
    return (1 + nu) / e * k * ((1 - 2 * nu) * r + b * b / r), k * (1 - b * b / r**2), k * (1 + b * b / r**2)


def test_error_estimate():
    """On clamped bars the misfit is hundreds of times below the error; the estimate is not."""
    clamped = [
        'bodies.0.conditions=[{"name": "wall", "set": "left", "displacement": [0, 0]}, '
        '{"name": "push", "set": "right", "traction": [0, -100]}]',
        'output.probes=[{"name": "tip", "point": [3, 0.5]}]',
    ]

    def tip(counts):
        answer = solve("tension_bar", f"mesh.counts={counts}", *clamped)
        return probe(answer, "tip")["displacement"][1], answer

    exact = tip("[96, 32]")[0]
    for counts in ("[6, 2]", "[12, 4]", "[24, 8]"):
        u, answer = tip(counts)
        error = abs(u / exact - 1)
        check(
            error <= answer["error_estimate"] <= 3 * error,
            f"the estimate at {counts}: {answer['error_estimate']:.3g}, the error {error:.3g}",
        )
        check(answer["misfit"] < 0.1 * error, f"the misfit is no error: {answer['misfit']:.3g} against {error:.3g}")


def test_label():
    """What the estimate leaves out is on the label, and so is the option that raises its limit."""
    words = run("static", SCENES / "lame_ring.json", "--set", "mesh.counts=[24, 4]").stdout
    check("on this mesh" in words and "facets that stand for a curve" in words, f"the label of a ring: {words}")
    words = run("static", SCENES / "lame_ring.json", "--estimate-up-to", 10).stdout
    option = words.partition("unknowns; ")[2].partition(" allows it")[0].split()
    check(option[:1] == ["--estimate-up-to"] and len(option) == 2, f"no estimate names the option: {words}")
    words = run("static", SCENES / "lame_ring.json", *option).stdout
    check("judged by a second solution" in words, f"and with it there is one: {words}")


def test_ring():
    coarse, fine = solve("lame_ring", "mesh.counts=[64, 1]"), solve("lame_ring", "mesh.counts=[128, 1]")
    for name in ("bore", "middle", "slant", "rim"):
        r, u, s_r, s_t = radial(probe(fine, name))
        near(u, lame(r)[0], 2e-3, f"lame_ring, u at {name}")
        near(s_t, lame(r)[2], 2e-2, f"lame_ring, hoop stress at {name}")
        if name in ("middle", "slant"):
            near(s_r, lame(r)[1], 1e-2, f"lame_ring, radial stress at {name}")
    error = [abs(radial(probe(a, "middle"))[1] / lame(1.5)[0] - 1) for a in (coarse, fine)]
    check(error[1] < 0.35 * error[0], f"halving the elements quarters the error: {error}")
    middle = probe(fine, "middle")["stress"]
    near(middle["zz"], 0.3 * (middle["xx"] + middle["yy"]), 1e-9, "plane strain has its stress in depth")
    for condition in fine["conditions"][1:]:
        check(max(map(abs, condition["force"])) < 1e-5 * 1000 * 2, f"nothing pulls at the pins: {condition}")
    stiff = solve("lame_ring", "mesh.counts=[128, 1]", "material.poisson=0.49")
    near(radial(probe(stiff, "bore"))[1], lame(1, 0.49)[0], 5e-3, "lame_ring at nu 0.49")
    constant = solve(
        "lame_ring",
        "mesh.counts=[128, 1]",
        "static.elements=constant",
        'bodies.0.conditions=[{"set": "inner", "pressure": 1000}]',
        'output.probes=[{"name": "middle", "point": [1.5, 0]}]',
    )
    near(radial(probe(constant, "middle"))[1], lame(1.5)[0], 1e-2, "constant elements, free in the plane")
    check(
        constant["free_modes"] == 3 and constant["elements"] == "constant",
        "nothing holds the ring: three rigid motions",
    )


def test_bar():
    for method in ("bem", "linear_fem"):
        answer = solve("tension_bar", f"static.method={method}")
        for name, x, y in (("inside", 1.3, 0.4), ("corner", 3, 1)):
            p = probe(answer, name)
            near(p["displacement"][0], 1000 * x / 1e6, 1e-10, f"{method}: u_x at {name}")
            near(p["displacement"][1], -0.3 * 1000 * y / 1e6, 1e-10, f"{method}: u_y at {name}")
            near(p["stress"]["xx"], 1000, 1e-8, f"{method}: stress at {name}")
            check(abs(p["stress"]["zz"]) < 1e-6, f"{method}: plane stress has none in depth")
        force = {c["name"]: c["force"] for c in answer["conditions"]}
        near(force["pull"][0], 1000 * 1 * 0.1, 1e-10, f"{method}: the pull is traction times side times thickness")
        near(force["wall"][0], -100, 1e-8, f"{method}: the wall holds against it")
        # Plane stress enters the kernels as nu / (1 + nu): at -0.5 that is -1, at -0.9 it is -9. Both are materials.
        for nu in (-0.5, -0.9):
            p = probe(solve("tension_bar", f"static.method={method}", f"material.poisson={nu}"), "inside")
            near(p["displacement"][1], -nu * 1000 * 0.4 / 1e6, 1e-9, f"{method}: u_y at nu {nu}")
        # A sweep through zero load: nothing moves, and nothing is refused.
        for load in ("traction=[0, 0]", "pressure=0"):
            words = load.replace("=", '": ')
            still = solve(
                "tension_bar",
                f"static.method={method}",
                f'bodies.0.conditions.2={{"name": "pull", "set": "right", "{words}}}',
            )
            check(max(map(abs, probe(still, "corner")["displacement"])) == 0, f"{method}: {load} moves nothing")
        # Along the depth of a planar body there is nothing to push: a warning says so, and that is all.
        flat = solve("tension_bar", f"static.method={method}", "gravity=[0, 0, -9.81]")
        near(probe(flat, "corner")["displacement"][0], 3e-3, 1e-10, f"{method}: gravity along the depth is left out")


def test_disc():
    nu, e, rho, omega, radius = 0.3, 1e5, 1000, 2 * math.pi, 0.5
    answer = solve("spinning_disc")
    for name in ("half way", "rim"):
        r, u, s_r, _ = radial(probe(answer, name))
        near(
            u,
            rho * omega**2 * (1 - nu) * r / (8 * e) * ((3 + nu) * radius**2 - (1 + nu) * r**2),
            2e-3,
            f"spinning_disc, u at {name}",
        )
        if name == "half way":
            near(
                s_r,
                rho * omega**2 * (3 + nu) / 8 * (radius**2 - r**2),
                3e-3,
                "spinning_disc, radial stress half way",
            )
    near(
        probe(answer, "middle")["stress"]["xx"],
        rho * omega**2 * (3 + nu) / 8 * radius**2,
        3e-3,
        "spinning_disc, stress in the middle",
    )
    free = solve("spinning_disc", "bodies.0.conditions=[]")
    near(
        radial(probe(free, "rim"))[1],
        radial(probe(answer, "rim"))[1],
        1e-6,
        "pins at the rim of a free disc do nothing",
    )


def test_ball():
    e, nu, p, a, b = 1e5, 0.3, 1000, 0.5, 1.0
    k = p * a**3 / (b**3 - a**3)
    errors = []
    for across in (4, 6):
        answer = solve("hollow_ball", f"mesh.counts=[{across}, 1]")
        exact = [k / e * ((1 - 2 * nu) * r + (1 + nu) * b**3 / (2 * r * r)) for r in (0.5, 0.75, 1.0)]
        found = [
            probe(answer, "bore")["displacement"][0],
            probe(answer, "middle")["displacement"][0],
            probe(answer, "rim")["displacement"][1],
        ]
        errors.append([abs(f / x - 1) for f, x in zip(found, exact)])
    check(max(errors[1]) < 0.06, f"hollow_ball is within 6 % with 436 vertices: {errors}")
    check(
        all(fine < 0.65 * coarse for coarse, fine in zip(*errors)), f"and better than in proportion with more: {errors}"
    )


def test_second_way():
    """Finite elements on the same scene come to the same limit from their own side."""
    apart = []
    for n in (1, 2):
        bem = solve("lame_ring", f"mesh.counts=[{48 * n}, {6 * n}]")
        fem = solve("lame_ring", f"mesh.counts=[{48 * n}, {6 * n}]", "static.method=linear_fem")
        apart.append(abs(radial(probe(bem, "middle"))[1] / radial(probe(fem, "middle"))[1] - 1))
    check(apart[1] < 2e-3 and apart[1] < 0.4 * apart[0], f"bem and linear_fem agree under refinement: {apart}")
    held = 'bodies.0.conditions=[{"name": "floor", "set": "bottom", "displacement": [0, 0]}]'
    for method in ("bem", "linear_fem"):
        hanging = solve("tension_bar", held, "gravity=[0, -10]", f"static.method={method}")
        weight = 1000 * 3 * 1 * 0.1 * 10
        near(hanging["conditions"][0]["force"][1], weight, 1e-9, f"{method}: the floor carries the weight")
        near(hanging["body_forces"]["force"][1], -weight, 1e-12, f"{method}: gravity's resultant")
    moved = (
        'bodies.0.conditions=[{"set": "left", "displacement": [0, 0]}, {"set": "right", "displacement": [0.003, null]}]'
    )
    forces = [
        solve("tension_bar", moved, "mesh.counts=[48, 16]", f"static.method={m}")["conditions"][1]["force"][0]
        for m in ("bem", "linear_fem")
    ]
    near(forces[0], forces[1], 5e-3, "the force of a given displacement, both ways")
    for kind, off in (("tet4", 0.2), ("tet10", 0.02), ("hex8", 0.1)):
        ball = solve("hollow_ball", f"mesh.kind={kind}", "mesh.counts=[4, 2]", "static.method=linear_fem")
        near(
            probe(ball, "rim")["displacement"][1],
            1000 * 0.125 / 0.875 / 1e5 * (0.4 + 0.65),
            off,
            f"hollow_ball by {kind}",
        )


def test_refusals(folder):
    ring = SCENES / "lame_ring.json"
    bad = [
        (["bodies.0.conditions.0.set=iner"], ["/bodies/0/conditions/0/set", "iner", "inner"]),
        (["bodies.0.conditions.0.pressure=lots"], ["/bodies/0/conditions/0/pressure", "lots", "[Pa]"]),
        (["bodies.0.conditions=[]"], ["/bodies/0/conditions", "none", "at least one"]),
        (["static.method=boundary"], ["/static/method", "boundary", "bem"]),
        (["static.elements=constant", "static.method=linear_fem"], ["/static/elements", "constant"]),
        (
            ["gravity=[0, -10]", 'bodies.0.conditions=[{"set": "inner", "pressure": 1}]'],
            ["a force of (0, -", "torque of (0, 0, 0)"],
        ),
        (
            [
                "gravity=[0, -10]",
                'bodies.0.sets=[{"name": "spot", "box": [[1.99, -0.01], [2.01, 0.01]]}]',
                'bodies.0.conditions=[{"set": "spot", "displacement": [0, 0]}]',
            ],
            ["1 of 3 free"],
        ),
        (
            ["static.method=linear_fem", 'bodies.0.conditions=[{"set": "inner", "pressure": 1}]'],
            ["/static/method", "rigid motion"],
        ),
        (["material.young=0"], ["young", "above 0"]),
        (["output.probes.0.point=[0, 0]"], ["/output/probes/0/point", "outside the body"]),
        (["mesh.counts=[2, 1]"], ["around = 2", "at least 3"]),
        (["output.csv=true"], ["/output/csv", "static", "--json"]),
        (["output.vtu=true"], ["/output/vtu", "static", "--json"]),
        (["output.stress=true"], ["/output/stress", "static", "--json"]),
    ]
    for sets, words in bad:
        arguments = ["static", ring, "--quiet"]
        for one in sets:
            arguments += ["--set", one]
        fails(*arguments, words=words)
    fails(
        "static",
        ring,
        "--quiet",
        "--set",
        "static.elements=constant",
        "--set",
        'bodies.0.conditions=[{"set": "inner", "pressure": 1}]',
        words=["/output/probes/0", "on the boundary", "linear elements"],
    )
    fails("static", ring, "--json", "--set", "static.method=boundary", words=["/static/method"])
    fails("static", SCENES.parent / "cantilever.json", words=["/static", "missing"])
    fails("run", ring, "-o", folder / "x.limber", words=["/static", "limber static"])
    check(not (folder / "x.limber").exists(), "a refused run leaves nothing")
    fails("static", folder / "none.json", words=["none.json"])
    fails("static", ring, "--picture", folder / "x.jpg", words=["x.jpg", ".png"])
    fails("static", ring, "--field", "von_mises", words=["--field", "von_mises", "--picture"])
    done = run(
        "check", SCENES / "hollow_ball.json", "--set", "bodies.0.thickness=0.5", "--set", "bodies.0.plane=stress"
    )
    check(
        done.returncode == 0 and "/bodies/0/thickness" in done.stderr and "/bodies/0/plane" in done.stderr,
        f"what a body in space cannot have is told: {done.stderr}",
    )
    fails(
        "static", SCENES / "hollow_ball.json", "--set", "static.elements=constant", words=["/static/elements", "planar"]
    )


def test_words(folder):
    done = run("static", SCENES / "lame_ring.json", "--quiet", "--set", "mesh.counts=[32, 2]")
    check(done.returncode == 0, f"prints a table: {done.stderr}")
    for word in ("inside", "bore", "von Mises", "unknowns", "condition"):
        check(word in done.stdout, f"the table has {word!r}: {done.stdout}")
    check("nan" not in done.stdout.lower(), "no NaN in the table")
    done = run("check", SCENES / "lame_ring.json")
    check(
        done.returncode == 0 and "static problem" in done.stdout,
        f"check knows static problems: {done.stdout}{done.stderr}",
    )
    answer = as_json(
        "static", SCENES / "lame_ring.json", "--set", "mesh.counts=[32, 2]", "--picture", folder / "ring.png"
    )
    check((folder / "ring.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", "a picture")
    check(
        answer["provenance"] and answer["condition"] > 1 and answer["unknowns"] == 128,
        f"JSON says how: {json.dumps(answer)[:200]}",
    )


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    test_error_estimate()
    test_label()
    test_ring()
    test_bar()
    test_disc()
    test_ball()
    test_second_way()
    test_refusals(here)
    test_words(here)
print("failures:", len(failures))
sys.exit(1 if failures else 0)
