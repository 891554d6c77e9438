/* Reading a .dyrt file: everything is checked here, so that nothing later has to be. */
#include "dyrt_internal.h"

#include <math.h>
#include <stdlib.h>

enum { HEADER_BYTES = 64, PART_BYTES = 128, MESH_BYTES = 8 };

/* The file while it is read; offsets are 64-bit, so that sums of 32-bit ones cannot wrap. */
typedef struct {
    const unsigned char* bytes; /* in the machine's order of words */
    uint64_t size;
    const char* strings;
    uint32_t string_bytes;
} reader;

static uint32_t word(const reader* in, uint64_t at) {
    uint32_t value;
    memcpy(&value, in->bytes + at, 4);
    return value;
}

static float number(const reader* in, uint64_t at) {
    float value;
    memcpy(&value, in->bytes + at, 4);
    return value;
}

/* A table of `count` words whose offset stands at `at`; NULL when it does not lie inside. */
static const void* table(const reader* in, uint64_t at, uint64_t count) {
    const uint64_t offset = word(in, at);
    if (offset % 4 != 0 || offset > in->size || count > (in->size - offset) / 4) return NULL;
    return in->bytes + offset;
}

static const float* numbers(const reader* in, uint64_t at, uint64_t count) {
    const float* found = (const float*)table(in, at, count);
    return found != NULL && dyrt_all_below(found, count, DYRT_LARGEST_SHAPE) ? found : NULL;
}

/* Places and gravity of the header and the part records. */
static int usual(float value) { return fabsf(value) <= DYRT_LARGEST_SHAPE; }

static const char* string(const reader* in, uint64_t at) {
    const uint32_t offset = word(in, at);
    return offset < in->string_bytes ? in->strings + offset : NULL;
}

static int zeros(const reader* in, uint64_t at, int count) {
    for (; count > 0; --count, at += 4)
        if (word(in, at) != 0) return 0;
    return 1;
}

static int read_scalars(const reader* in, uint64_t at, dyrt_part* p) {
    const uint32_t m = word(in, at + 8), residuals = word(in, at + 12), n = word(in, at + 16),
                   flags = word(in, at + 20);
    double square = 0.0;
    int i;
    p->name = string(in, at);
    p->bone = string(in, at + 4);
    p->corrected = word(in, at + 24) | (uint64_t)word(in, at + 28) << 32;
    if (p->name == NULL || p->bone == NULL || m < 1 || m > DYRT_MOST_MODES || residuals > m || n > INT32_MAX ||
        flags > 3) {
        return 0;
    }
    if (m < 64 && p->corrected >> m != 0) return 0;
    if (!usual(number(in, at + 32)) || !usual(number(in, at + 36)) || !usual(number(in, at + 40))) return 0;
    if (!(number(in, at + 60) >= 0.0f) || !usual(number(in, at + 60)) || !zeros(in, at + 112, 4)) return 0;
    p->modes = (int)m;
    p->residuals = (int)residuals;
    p->vertices = (int)n;
    p->flags = (int)flags;
    for (i = 0; i < 4; ++i)
        square += (double)number(in, at + 44 + 4 * (uint64_t)i) * number(in, at + 44 + 4 * (uint64_t)i);
    if (!(fabs(square - 1.0) < 1e-3)) return 0;
    for (i = 0; i < 4; ++i) p->bind_rotation[i] = (float)(number(in, at + 44 + 4 * (uint64_t)i) / sqrt(square));
    for (i = 0; i < 3; ++i) {
        p->limits[i] = number(in, at + 100 + 4 * (uint64_t)i);
        if (!(p->limits[i] > 0.0f) || !isfinite(p->limits[i])) return 0;
    }
    return 1;
}

static int read_tables(const reader* in, uint64_t at, dyrt_part* p) {
    const uint64_t m = (uint64_t)p->modes, n3 = 3 * (uint64_t)p->vertices;
    uint64_t corrections = 0, k;
    for (k = 0; k < m; ++k) corrections += p->corrected >> k & 1;
    p->oscillators = numbers(in, at + 64, 4 * m);
    p->transfer = numbers(in, at + 68, DYRT_MOTIONS * m);
    p->indices = (const uint32_t*)table(in, at + 76, 2 * (uint64_t)p->vertices);
    p->rest = numbers(in, at + 80, n3);
    p->normals = numbers(in, at + 84, n3);
    p->shapes = numbers(in, at + 88, m * n3);
    p->corrections = numbers(in, at + 92, corrections * n3);
    if (p->oscillators == NULL || p->transfer == NULL || p->indices == NULL || p->rest == NULL || p->normals == NULL ||
        p->shapes == NULL || p->corrections == NULL) {
        return 0;
    }
    p->coriolis = (p->flags & DYRT_CORIOLIS) != 0 ? numbers(in, at + 72, 3 * m * m) : NULL;
    p->warp = (p->flags & DYRT_WARP) != 0 ? numbers(in, at + 96, m * n3) : NULL;
    return (p->coriolis != NULL || (p->flags & DYRT_CORIOLIS) == 0) && (p->warp != NULL || (p->flags & DYRT_WARP) == 0);
}

static int check_contents(const limber_dyrt_asset* asset, const dyrt_part* p) {
    int k;
    for (k = 0; k < p->modes; ++k) {
        const float* o = p->oscillators + 4 * k;
        if (!(o[0] >= 1e-6f) || !(o[1] >= 0.0f) || !(o[2] >= 1e-30f))
            return 0; /* none is above 1e9: it would not have been read */
    }
    if (!dyrt_stays_in_range(p, 1.0f, 1.0f, asset->gravity)) return 0;
    for (k = 0; k < p->vertices; ++k) {
        const uint32_t mesh = p->indices[2 * (size_t)k];
        if (mesh >= (uint32_t)asset->meshes || p->indices[2 * (size_t)k + 1] >= asset->mesh[mesh].vertices) return 0;
    }
    return 1;
}

static limber_dyrt_result read_all(const reader* in, limber_dyrt_asset* asset) {
    int i;
    asset->metres = number(in, 24);
    for (i = 0; i < 3; ++i) asset->gravity[i] = number(in, 28 + 4 * (uint64_t)i);
    asset->provenance = string(in, 48);
    if (!(asset->metres >= 1e-18f) || !(asset->metres <= 1e18f) ||
        !dyrt_all_below(asset->gravity, 3, DYRT_LARGEST_SHAPE) || asset->provenance == NULL || !zeros(in, 52, 3)) {
        return LIMBER_DYRT_DAMAGED;
    }
    for (i = 0; i < asset->meshes; ++i) {
        const uint64_t at = HEADER_BYTES + PART_BYTES * (uint64_t)asset->parts + MESH_BYTES * (uint64_t)i;
        asset->mesh[i].name = string(in, at);
        asset->mesh[i].vertices = word(in, at + 4);
        if (asset->mesh[i].name == NULL) return LIMBER_DYRT_DAMAGED;
    }
    for (i = 0; i < asset->parts; ++i) {
        const uint64_t at = HEADER_BYTES + PART_BYTES * (uint64_t)i;
        dyrt_part* p = asset->part + i;
        if (!read_scalars(in, at, p) || !read_tables(in, at, p) || !check_contents(asset, p))
            return LIMBER_DYRT_DAMAGED;
    }
    return LIMBER_DYRT_OK;
}

static uint32_t little_endian(const unsigned char* b) {
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static int machine_is_little_endian(void) {
    const uint32_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* The file in the machine's order of words, and its strings as they are. */
static limber_dyrt_result copy_bytes(const unsigned char* bytes, uint64_t size, limber_dyrt_asset* asset) {
    const uint64_t strings = little_endian(bytes + 40), length = little_endian(bytes + 44);
    if (length < 1 || strings > size || length > size - strings || bytes[strings + length - 1] != 0)
        return LIMBER_DYRT_DAMAGED;
    asset->bytes = malloc((size_t)size);
    asset->strings = (char*)malloc((size_t)length);
    if (asset->bytes == NULL || asset->strings == NULL) return LIMBER_DYRT_NO_MEMORY;
    memcpy(asset->strings, bytes + strings, (size_t)length);
    memcpy(asset->bytes, bytes, (size_t)size);
    if (!machine_is_little_endian()) {
        uint64_t at;
        for (at = 0; at + 4 <= size; at += 4) {
            const uint32_t value = little_endian(bytes + at);
            memcpy((unsigned char*)asset->bytes + at, &value, 4);
        }
    }
    return LIMBER_DYRT_OK;
}

static limber_dyrt_result read_file(const unsigned char* bytes, size_t size, limber_dyrt_asset* asset) {
    const uint64_t parts = size >= HEADER_BYTES ? little_endian(bytes + 16) : 0,
                   meshes = size >= HEADER_BYTES ? little_endian(bytes + 20) : 0;
    reader in;
    limber_dyrt_result result;
    if (size < 8 || memcmp(bytes, "limbdyrt", 8) != 0) return LIMBER_DYRT_NOT_DYRT;
    if (size < 16) return LIMBER_DYRT_TRUNCATED;
    if (little_endian(bytes + 8) > 1) return LIMBER_DYRT_NEWER_VERSION;
    if (little_endian(bytes + 8) != 1) return LIMBER_DYRT_DAMAGED;
    if (size < HEADER_BYTES || size != little_endian(bytes + 12)) return LIMBER_DYRT_TRUNCATED;
    if (parts < 1 || parts > DYRT_MOST_PARTS || HEADER_BYTES + PART_BYTES * parts + MESH_BYTES * meshes > size)
        return LIMBER_DYRT_DAMAGED;
    result = copy_bytes(bytes, size, asset);
    if (result != LIMBER_DYRT_OK) return result;
    asset->parts = (int)parts;
    asset->meshes = (int)meshes; /* below size / 8, so it fits */
    asset->part = (dyrt_part*)calloc((size_t)parts, sizeof(dyrt_part));
    asset->mesh = (dyrt_mesh*)calloc((size_t)meshes + 1, sizeof(dyrt_mesh));
    if (asset->part == NULL || asset->mesh == NULL) return LIMBER_DYRT_NO_MEMORY;
    in.bytes = (const unsigned char*)asset->bytes;
    in.size = size;
    in.strings = asset->strings;
    in.string_bytes = little_endian(bytes + 44);
    return read_all(&in, asset);
}

limber_dyrt_result limber_dyrt_load(const void* bytes, size_t size, limber_dyrt_asset** out) {
    limber_dyrt_asset* asset;
    limber_dyrt_result result;
    if (out == NULL) return LIMBER_DYRT_BAD_ARGUMENT;
    *out = NULL;
    if (bytes == NULL) return LIMBER_DYRT_BAD_ARGUMENT;
    asset = (limber_dyrt_asset*)calloc(1, sizeof *asset);
    if (asset == NULL) return LIMBER_DYRT_NO_MEMORY;
    result = read_file((const unsigned char*)bytes, size, asset);
    if (result == LIMBER_DYRT_OK)
        *out = asset;
    else
        limber_dyrt_free(asset);
    return result;
}

void limber_dyrt_free(limber_dyrt_asset* asset) {
    if (asset == NULL) return;
    free(asset->part);
    free(asset->mesh);
    free(asset->bytes);
    free(asset->strings);
    free(asset);
}
