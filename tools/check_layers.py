#!/usr/bin/env python3
"""Who may include whom: reads the #include lines of include/, src/ and apps/ and names every breach.

    check_layers.py [ROOT]        exit code 1 on a breach, 0 otherwise

The rules are those of docs/architecture.md. A layer may include itself and the layers listed for it below. A public header
belongs to a layer (HEADER_LAYER), so including one is held to the same rules as including the layer.
"""
import pathlib
import re
import sys

BASE = {"core"}
GEOMETRY = BASE | {"geometry"}
BODY = GEOMETRY | {"body"}
RIG = GEOMETRY | {"rig"}
DEFORM = BODY | {"deform"}
MATHS = BASE | {"linalg", "kernels"}
ELEMENTS = DEFORM | MATHS | {"fem", "integrate"}
METHOD = ELEMENTS | {"fem_linear", "fem_large", "contact", "bem", "runtime"}  # runtime: runtime/dyrt, C99
SCENE = DEFORM | RIG
SIM = SCENE | {"scene", "methods/registry"}
RESULTS = SIM | {"sim"}
IO = RESULTS | {"io"}
SHOW = IO | {"fem", "metrics", "playback", "render", "report"}

MAY_SEE = {
    "core": set(),
    "kernels": set(),
    "linalg": BASE | {"kernels"},
    "geometry": BASE,
    "body": GEOMETRY,
    "rig": GEOMETRY,
    "assets": RIG,
    "deform": BODY,
    "contact": DEFORM,
    "world": DEFORM,
    "capi": DEFORM | {"world", "methods/registry"},
    "bem": BODY | MATHS,
    "fem": DEFORM | MATHS,
    "integrate": MATHS,
    "fem_linear": ELEMENTS,
    "fem_large": ELEMENTS,
    "scene": SCENE,
    "sim": SIM,
    "metrics": RESULTS | {"fem", "linalg"},
    "io": RESULTS,
    "scene_file": IO | {"assets", "contact", "fem", "fem_linear"},
    "playback": IO | {"fem"},
    "report": BASE | {"io"},
    "render": BASE,
    "show": SHOW,
    "dyrt": METHOD | IO | {"report", "show"},
    "study": SHOW | {"show", "scene_file", "bem"},
    "reproduce": METHOD | SHOW | {"show", "study", "dyrt", "assets"},
    "conformance": DEFORM | {"methods/registry"},
    "apps": METHOD | SHOW | {"assets", "conformance", "dyrt", "reproduce", "scene_file", "show", "study"},
}

# What each public header is part of. A new one must be entered here: it has to live somewhere.
HEADER_LAYER = {
    "bytes": "core",
    "error": "core",
    "progress": "core",
    "vec3": "core",
    "version": "core",
    "mesh": "geometry",
    "round": "geometry",
    "solid": "geometry",
    "doctor": "geometry",
    "embedding": "geometry",
    "material": "body",
    "body": "body",
    "rig": "rig",
    "flesh": "rig",
    "dyrt": "dyrt",
    "assets": "assets",
    "deformer": "deform",
    "loads": "deform",
    "obstacle": "deform",
    "method": "deform",
    "options": "deform",
    "modes": "deform",
    "world": "world",
    "limber": "capi",
    "matrices": "deform",
    "conformance": "conformance",
    "scene": "scene",
    "file_axes": "scene",
    "painted_surface": "scene",
    "shown": "playback",
    "recording": "sim",
    "sim": "sim",
    "metrics": "metrics",
    "mesh_io": "io",
    "rig_io": "io",
    "series": "playback",
    "surface_series": "playback",
}

# Outside libraries, by the start of the include, and the layers that may see them.
OUTSIDE = [
    (r"(unsupported/)?Eigen/", {"linalg", "fem", "dyrt", "bem", "methods/bem"}),
    (r"metis\.h|(suitesparse/)?cholmod|cblas", {"linalg"}),
    (r"zlib\.h", {"io", "render"}),
    (r"stb/", {"render"}),
    (r"nlohmann/", {"io", "scene_file", "playback", "report", "dyrt", "study", "reproduce", "apps"}),
    (r"CLI/", {"apps"}),
    (r"EGL/|GLES3/", {"render"}),
    (r"dlfcn\.h", {"render", "apps"}),  # apps: the functions of METIS that take SIGTERM away
    (r"fmt/", None),  # None: any layer, but no public header
]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def layer_of(path):
    """'core', 'methods/linear_fem', 'methods/registry', 'public', 'apps'; path is relative to the root."""
    parts = path.parts
    if parts[0] == "include":
        return "public"
    if parts[0] == "apps":
        return "apps"
    if parts[1] != "methods":
        return parts[1]
    return "methods/" + (parts[2] if len(parts) > 3 else path.stem)


def target_layer(name):
    """Layer of an include such as "fem/assembly.hpp" or "methods/linear_fem/x.hpp"; None for a file beside."""
    parts = name.split("/")
    if len(parts) == 1:
        return None
    if parts[0] == "dyrt" and name.endswith(".h"):
        return "runtime"  # runtime/dyrt is C; src/dyrt has .hpp
    if parts[0] != "methods":
        return parts[0]
    return "methods/" + (parts[1] if len(parts) > 2 else parts[1].split(".")[0])


def allowed(layer, other):
    if other == layer:
        return True
    if layer == "methods/registry":
        return other in METHOD or other.startswith("methods/")  # the only file that knows all
    if layer.startswith("methods/"):
        return other in METHOD
    return other in MAY_SEE.get(layer, set())


def standard_header(name):
    return (
        re.fullmatch(r"[a-z0-9_]+", name) is not None
        or name.startswith("sys/")
        or name in ("stdbool.h", "stddef.h", "stdint.h")
        or name in ("immintrin.h", "unistd.h", "fcntl.h", "signal.h", "pthread.h", "sched.h", "time.h", "cpuid.h")
    )


def fault_of(layer, bracket, name):
    """Why this include is a breach; empty when it is not. `layer` is the includer's, its header's when public."""
    engine = layer.startswith("engine:")
    public, layer = engine or layer.startswith("public:"), layer.removeprefix("engine:").removeprefix("public:")
    if name.startswith("limber/"):
        if engine and name.startswith("limber/tools/"):
            return "is a header of the tools, which the headers of the engine do without"
        part = pathlib.PurePosixPath(name).stem
        if part not in HEADER_LAYER:
            return "is a public header without a layer: enter it in tools/check_layers.py"
        return (
            ""
            if allowed(layer, HEADER_LAYER[part])
            else f"belongs to {HEADER_LAYER[part]}, which {layer} may not include"
        )
    if bracket == "<" and standard_header(name):
        return ""
    if public:
        return "is not of the standard library or limber/: public headers include nothing else"
    for pattern, layers in OUTSIDE:
        if re.match(pattern, name):
            return "" if layers is None or layer in layers else f"may be included only by {', '.join(sorted(layers))}"
    if bracket == "<":
        return "is an outside library that tools/check_layers.py does not know"
    other = target_layer(name)
    if other is None:
        return "" if layer == "apps" else 'is not written "layer/file.hpp"'
    if layer == "apps" and (other == "cli" or name.startswith("cli/")):
        return ""
    return "" if allowed(layer, other) else f"is in {other}, which {layer} may not include"


def sources(root):
    for folder in ("include", "src", "apps"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".hpp", ".cpp", ".h", ".c", ".inl"):
                yield path


def breaches(root):
    for path in sources(root):
        layer = layer_of(path.relative_to(root))
        if layer == "public":
            kind = "public:" if path.parent.name == "tools" else "engine:"
            layer = kind + HEADER_LAYER.get(path.stem, "core")
        elif layer not in MAY_SEE and not layer.startswith("methods/"):
            yield f"{path.relative_to(root)}:1: folder {layer} is not a layer known to tools/check_layers.py"
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            found = INCLUDE.match(line)
            fault = fault_of(layer, found.group(1), found.group(2)) if found else ""
            if fault:
                yield f"{path.relative_to(root)}:{number}: {found.group(2)} {fault}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(breaches(root))
    count = len(list(sources(root)))
    if count == 0:
        print(f"{root}: no sources found: expected include/, src/ or apps/ below it")
        return 1
    for breach in found:
        print(breach)
    print(f"{len(found)} breaches in {count} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
