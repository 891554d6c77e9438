/* Flesh for a small crowd, live: loads a .dyrt file, lets everyone jump at their own pace for two seconds, prints
 * amplitudes. cd runtime/dyrt && cc -std=c99 -O3 -I. ../../examples/dyrt_crowd.c dyrt_?*.c oscillator.c -lm -o
 * dyrt_crowd && ./dyrt_crowd character.dyrt */
#include "limber_dyrt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CROWD = 3, FRAMES = 120, MOST_MODES = 64 };

static void* read_file(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    long length = -1;
    void* bytes = NULL;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length > 0) bytes = malloc((size_t)length);
    if (bytes != NULL) {
        rewind(file);
        *size = fread(bytes, 1, (size_t)length, file);
    }
    if (file != NULL) fclose(file);
    return bytes;
}

/* A game would ask its skeleton for the bone named limber_dyrt_bone_name(asset, part) here: its world place and
 * rotation. */
static limber_dyrt_bone bone_of(int character, float time) {
    const float pace = 6.0f + (float)character, height = fabsf(sinf(pace * time)),
                lean = 0.2f * sinf(0.5f * pace * time);
    const limber_dyrt_bone bone = {{(float)character, 1.0f + 0.3f * height, 0.0f},
                                   {0.0f, 0.0f, sinf(lean), cosf(lean)}};
    return bone;
}

int main(int count, char** arguments) {
    limber_dyrt_asset* asset = NULL;
    limber_dyrt_crowd* crowd = NULL;
    limber_dyrt_bone* bones = NULL;
    limber_dyrt_result result;
    size_t size = 0;
    void* bytes = count == 2 ? read_file(arguments[1], &size) : NULL;
    int frame, who, part, k, parts;
    if (bytes == NULL) {
        fprintf(stderr, "usage: dyrt_crowd FILE.dyrt\n");
        return 2;
    }

    /* Once: the asset is shared by everyone; the bytes are not needed any more. */
    result = limber_dyrt_load(bytes, size, &asset);
    free(bytes);
    if (result == LIMBER_DYRT_OK) result = limber_dyrt_crowd_create(asset, CROWD, NULL, &crowd);
    if (result != LIMBER_DYRT_OK) {
        fprintf(stderr, "%s: %s\n", arguments[1], limber_dyrt_words(result));
        return 1;
    }
    parts = limber_dyrt_parts(asset);
    bones = (limber_dyrt_bone*)malloc(sizeof *bones * CROWD * (size_t)parts);
    if (bones == NULL) return 1;
    printf("frame,character,part,amplitudes\n");
    for (frame = 0; frame <= FRAMES; ++frame) { /* bones in, one step for everyone, amplitudes out */
        for (who = 0; who < CROWD; ++who)
            for (part = 0; part < parts; ++part) bones[who * parts + part] = bone_of(who, (float)frame / 60.0f);
        limber_dyrt_step(crowd, 1.0f / 60.0f, bones, NULL);
        for (who = 0; who < CROWD; ++who) {
            for (part = 0; part < parts; ++part) {
                float q[MOST_MODES];
                limber_dyrt_amplitudes(crowd, who, part, q);
                printf("%d,%d,%s", frame, who, limber_dyrt_part_name(asset, part));
                for (k = 0; k < limber_dyrt_modes(asset, part); ++k) printf(",%.6g", (double)q[k]);
                printf("\n");
            }
        }
    }
    free(bones);
    limber_dyrt_crowd_free(crowd);
    limber_dyrt_free(asset);
    return 0;
}
