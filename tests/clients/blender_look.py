"""Runs inside Blender: imports what the JSON file after "--" names and compares every vertex with where it should be."""
import json
import math
import sys

import bpy
import numpy as np

np.bool = bool      # Blender 3.4's glTF importer is older than Debian's NumPy


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
    bpy.context.scene.frame_set(math.floor(frame + 1e-9), subframe=min(max(frame - math.floor(frame + 1e-9), 0.0), 0.999999))
    bpy.context.view_layer.update()


def look_at_model(job):
    clear()
    bpy.ops.import_scene.gltf(filepath=job["file"])
    out = []
    for time, expected in zip(job["times"], job["expected"]):
        show(time)
        points = np.array(expected)
        out.append(difference(vertices(), np.stack([points[:, 0], -points[:, 2], points[:, 1]], axis=1)))    # glTF's y is Blender's z
    mesh = next(o for o in bpy.context.scene.objects if o.type == "MESH")
    return {"shots": out, "materials": [slot.name for slot in mesh.material_slots], "uv_layers": len(mesh.data.uv_layers),
            "keys": len(mesh.data.shape_keys.key_blocks) if mesh.data.shape_keys else 0}


def look_at_cache(job):
    clear()
    bpy.ops.wm.obj_import(filepath=job["surface"], forward_axis="Y", up_axis="Z")      # axes as they are
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
results = [look_at_model(job) if job["kind"] == "model" else look_at_cache(job) for job in jobs]
with open(sys.argv[sys.argv.index("--") + 2], "w", encoding="utf-8") as file:
    json.dump(results, file)
