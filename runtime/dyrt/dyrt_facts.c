/* What an asset says about itself. */
#include "dyrt_internal.h"

const char* limber_dyrt_words(limber_dyrt_result result) {
    switch (result) {
        case LIMBER_DYRT_OK: return "done";
        case LIMBER_DYRT_BAD_ARGUMENT: return "an argument is missing or out of range";
        case LIMBER_DYRT_NO_MEMORY: return "not enough memory";
        case LIMBER_DYRT_NOT_DYRT: return "this is not a .dyrt file";
        case LIMBER_DYRT_NEWER_VERSION: return "this .dyrt file is of a newer version than the library";
        case LIMBER_DYRT_TRUNCATED: return "this .dyrt file is cut off, or longer than it says";
        case LIMBER_DYRT_DAMAGED: return "this .dyrt file is damaged";
        case LIMBER_DYRT_OUT_OF_RANGE: return "flesh left the range of numbers and was put to rest";
    }
    return "unknown result";
}

static const dyrt_part* part_of(const limber_dyrt_asset* asset, int part) {
    return asset != NULL && part >= 0 && part < asset->parts ? asset->part + part : NULL;
}

static const dyrt_part* mode_of(const limber_dyrt_asset* asset, int part, int mode) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL && mode >= 0 && mode < p->modes ? p : NULL;
}

float limber_dyrt_metres(const limber_dyrt_asset* asset) { return asset != NULL ? asset->metres : 0.0f; }
const char* limber_dyrt_provenance(const limber_dyrt_asset* asset) { return asset != NULL ? asset->provenance : ""; }
int limber_dyrt_parts(const limber_dyrt_asset* asset) { return asset != NULL ? asset->parts : 0; }

int limber_dyrt_find_part(const limber_dyrt_asset* asset, const char* name) {
    int i;
    for (i = 0; name != NULL && i < limber_dyrt_parts(asset); ++i)
        if (strcmp(asset->part[i].name, name) == 0) return i;
    return -1;
}

const char* limber_dyrt_part_name(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->name : "";
}

const char* limber_dyrt_bone_name(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->bone : "";
}

int limber_dyrt_modes(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->modes : 0;
}

int limber_dyrt_residuals(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->residuals : 0;
}

int limber_dyrt_vertices(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->vertices : 0;
}

float limber_dyrt_frequency(const limber_dyrt_asset* asset, int part, int mode) {
    const dyrt_part* p = mode_of(asset, part, mode);
    return p != NULL ? p->oscillators[4 * mode] / 6.28318530717958648f : 0.0f;
}

float limber_dyrt_target_scale(const limber_dyrt_asset* asset, int part, int mode) {
    const dyrt_part* p = mode_of(asset, part, mode);
    return p != NULL ? p->oscillators[4 * mode + 2] : 0.0f;
}

const float* limber_dyrt_rest_positions(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->rest : NULL;
}

const float* limber_dyrt_rest_normals(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->normals : NULL;
}

const float* limber_dyrt_displacements(const limber_dyrt_asset* asset, int part, int mode) {
    const dyrt_part* p = mode_of(asset, part, mode);
    return p != NULL ? p->shapes + 3 * (size_t)p->vertices * (size_t)mode : NULL;
}

const float* limber_dyrt_normal_corrections(const limber_dyrt_asset* asset, int part, int mode) {
    const dyrt_part* p = mode_of(asset, part, mode);
    size_t before = 0;
    int k;
    if (p == NULL || (p->corrected >> mode & 1) == 0) return NULL;
    for (k = 0; k < mode; ++k) before += p->corrected >> k & 1;
    return p->corrections + 3 * (size_t)p->vertices * before;
}

const uint32_t* limber_dyrt_vertex_indices(const limber_dyrt_asset* asset, int part) {
    const dyrt_part* p = part_of(asset, part);
    return p != NULL ? p->indices : NULL;
}
