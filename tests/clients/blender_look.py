"""Runs inside Blender: imports what the JSON file after "--" names and compares every vertex with where it should be."""
import json
import math
import sys

import bpy
import numpy as np

np.bool = bool  # Blender 3.4's glTF importer is older than Debian's NumPy


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def vertices():
    """Of the only mesh, as shown now, in the world."""
    graph = bpy.context.evaluated_depsgraph_get()
    owner = next(o for o in bpy.context.scene.objects if o.type == "MESH").evaluated_get(graph)
    mesh = owner.to_mesh()
    flat = np.empty(3 * len(mesh.vertices))
    mesh.vertices.foreach_get("co", flat)
    matrix = np.array(owner.matrix_world)
    return flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def difference(found, expected):
    expected = np.array(expected)
    if found.shape != expected.shape:
        return {"vertices": len(found), "expected": len(expected), "worst": None}
    return {"vertices": len(found), "worst": float(np.linalg.norm(found - expected, axis=1).max())}


def show(time):
    frame = time * bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    bpy.context.scene.frame_set(
        math.floor(frame + 1e-9), subframe=min(max(frame - math.floor(frame + 1e-9), 0.0), 0.999999)
    )
    bpy.context.view_layer.update()


def look_at_model(job):
    clear()
    bpy.ops.import_scene.gltf(filepath=job["file"])
    out = []
    for time, expected in zip(job["times"], job["expected"]):
        show(time)
        points = np.array(expected)
        out.append(
            difference(vertices(), np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1))
        )  # glTF's y is Blender's z
    mesh = next(o for o in bpy.context.scene.objects if o.type == "MESH")
    return {
        "shots": out,
        "materials": [slot.name for slot in mesh.material_slots],
        "uv_layers": len(mesh.data.uv_layers),
        "keys": len(mesh.data.shape_keys.key_blocks) if mesh.data.shape_keys else 0,
    }


def look_at_figure(job):
    """Several meshes under an armature, in whatever order: every vertex against the nearest of ours, and back."""
    clear()
    bpy.ops.import_scene.gltf(filepath=job["file"])
    for owner in [o for o in bpy.context.scene.objects if o.type == "MESH" and "Icosphere" in o.name]:
        bpy.data.objects.remove(owner)  # a bone's picture, not the figure
    out = []
    for time, expected in zip(job["times"], job["expected"]):
        show(time)
        graph, found = bpy.context.evaluated_depsgraph_get(), []
        for owner in bpy.context.scene.objects:
            if owner.type != "MESH":
                continue
            seen = owner.evaluated_get(graph)
            mesh = seen.to_mesh()
            flat = np.empty(3 * len(mesh.vertices))
            mesh.vertices.foreach_get("co", flat)
            matrix = np.array(seen.matrix_world)
            found.append(flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
        found, points = np.concatenate(found), np.array(expected)
        ours = np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)
        far = lambda a, b: max(float(((b - p) ** 2).sum(axis=1).min()) for p in a) ** 0.5  # noqa: E731
        out.append(
            {
                "vertices": len(found),
                "worst": max(far(found, ours), far(ours, found)) if len(found) == len(ours) else None,
            }
        )
    return {"shots": out}


def look_at_cache(job):
    clear()
    bpy.ops.wm.obj_import(filepath=job["surface"], forward_axis="Y", up_axis="Z")  # axes as they are
    mesh = next(o for o in bpy.context.scene.objects if o.type == "MESH")
    modifier = mesh.modifiers.new("limber", "MESH_CACHE")
    modifier.cache_format = job["format"].upper()
    modifier.filepath = job["file"]
    modifier.play_mode = "CUSTOM"
    modifier.time_mode = "FRAME"
    modifier.interpolation = "NONE"
    out = []
    for frame, expected in zip(job["frames"], job["expected"]):
        modifier.eval_frame = frame
        bpy.context.view_layer.update()
        out.append(difference(vertices(), expected))
    return {"shots": out}


jobs = json.load(open(sys.argv[sys.argv.index("--") + 1], encoding="utf-8"))
results = [{"model": look_at_model, "cache": look_at_cache, "figure": look_at_figure}[job["kind"]](job) for job in jobs]
with open(sys.argv[sys.argv.index("--") + 2], "w", encoding="utf-8") as file:
    json.dump(results, file)
