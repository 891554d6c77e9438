/* What the C library makes of given bones: replay FILE.dyrt BONES DRIVE FILTER CORIOLIS; numbers in, numbers out, for
 * tests of other languages. BONES: per frame one line: dt, then per part position, rotation, velocity, angular velocity
 * (13 numbers). Prints all amplitudes per frame. */
#include "limber_dyrt.h"

#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 16, MODES = 64 };

static int read_bone(FILE* in, limber_dyrt_bone* bone, limber_dyrt_motion* motion) {
    float v[13];
    int i;
    for (i = 0; i < 13; ++i)
        if (fscanf(in, "%f", v + i) != 1) return 0;
    for (i = 0; i < 3; ++i) {
        bone->position[i] = v[i];
        motion->velocity[i] = v[7 + i];
        motion->angular_velocity[i] = v[10 + i];
    }
    for (i = 0; i < 4; ++i) bone->rotation[i] = v[3 + i];
    return 1;
}

int main(int count, char** arguments) {
    static char bytes[1 << 20];
    limber_dyrt_bone bones[PARTS];
    limber_dyrt_motion motions[PARTS];
    limber_dyrt_asset* asset;
    limber_dyrt_crowd* crowd;
    limber_dyrt_settings settings;
    FILE *file = count == 6 ? fopen(arguments[1], "rb") : NULL, *in = count == 6 ? fopen(arguments[2], "r") : NULL;
    float dt, q[MODES];
    int i, k;
    if (file == NULL || in == NULL ||
        limber_dyrt_load(bytes, fread(bytes, 1, sizeof bytes, file), &asset) != LIMBER_DYRT_OK)
        return 2;
    limber_dyrt_default_settings(asset, &settings);
    settings.drive = (limber_dyrt_drive)atoi(arguments[3]);
    settings.filter = (limber_dyrt_filter)atoi(arguments[4]);
    settings.coriolis = atoi(arguments[5]);
    if (limber_dyrt_crowd_create(asset, 1, &settings, &crowd) != LIMBER_DYRT_OK) return 2;
    while (fscanf(in, "%f", &dt) == 1) {
        for (i = 0; i < limber_dyrt_parts(asset); ++i)
            if (!read_bone(in, bones + i, motions + i)) return 2;
        if (limber_dyrt_step(crowd, dt, bones, settings.drive == LIMBER_DYRT_VELOCITIES ? motions : NULL) !=
            LIMBER_DYRT_OK)
            return 2;
        for (i = 0; i < limber_dyrt_parts(asset); ++i) {
            limber_dyrt_amplitudes(crowd, 0, i, q);
            for (k = 0; k < limber_dyrt_modes(asset, i); ++k) printf("%.9g ", (double)q[k]);
        }
        printf("\n");
    }
    fclose(file);
    fclose(in);
    limber_dyrt_crowd_free(crowd);
    limber_dyrt_free(asset);
    return 0;
}
