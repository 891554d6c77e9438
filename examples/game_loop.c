/* A game's loop in C: a bar of silicone hangs from a wall, and its free end is dragged about by a spring while it runs.
 * Prints where that end is, ten times a second. docs/c_api.md says how to link it. */
#include <limber/limber.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(limber_status status, const limber_error* error) {
    char line[1400];
    if (status == LIMBER_OK) return;
    limber_error_line(error, line, sizeof line);
    fprintf(stderr, "game_loop: %s\n", line);
    exit(2);
}

static limber_deformer* make_bar(int32_t* tip, size_t* vertices) {
    limber_error error;
    limber_body_maker* maker;
    limber_body* body;
    limber_deformer* deformer;
    limber_material jelly;
    must(limber_material_preset("silicone", &jelly, &error), &error);
    must(limber_body_maker_new_box(LIMBER_TET4, 14, 8, 8, (limber_vec3){0, 0, 0}, (limber_vec3){0.35, 0.2, 0.2}, &maker,
                                   &error),
         &error);
    must(limber_body_maker_material(maker, NULL, &jelly, &error), &error);
    must(limber_body_maker_anchor(maker, "wall", "left", LIMBER_XYZ, &error), &error);
    must(limber_body_make(maker, "bar", &body, &error), &error);
    must(limber_prepare(body, "corotational", NULL, NULL, NULL, &deformer, &error), &error);
    *tip = limber_body_nearest_vertex(body, (limber_vec3){0.35, 0.1, 0.1});
    *vertices = limber_body_vertex_count(body);
    limber_body_maker_free(maker);
    limber_body_free(body); /* the deformer keeps what it needs */
    return deformer;
}

int main(void) {
    limber_error error;
    limber_world* world;
    size_t body, vertices;
    int32_t tip;
    int frame;
    limber_deformer* bar = make_bar(&tip, &vertices);
    float* positions = malloc(3 * vertices * sizeof *positions);
    limber_live* finger;
    if (positions == NULL) return 1;
    must(limber_world_new(&world, &error), &error);
    must(limber_world_add(world, bar, &body, &error), &error);
    limber_deformer_free(bar);
    limber_world_gravity(world, (limber_vec3){0, -9.81, 0});

    finger = limber_world_live(world, body, NULL); /* slot 0 */
    finger->kind = LIMBER_LIVE_SOFT;
    finger->stiffness = 400.0; /* [N/m] */
    finger->vertex_count = 1;
    finger->vertices[0] = tip;
    finger->weights[0] = 1.0;
    for (frame = 0; frame < 120; ++frame) { /* nothing in here takes memory */
        const double t = (frame + 1) / 60.0;
        uint32_t trouble;
        char words[100];
        finger->target = (limber_vec3){0.35, 0.1 + 0.1 * sin(4.0 * t), 0.1 + 0.05 * sin(7.0 * t)};
        trouble = limber_world_step(world, 1.0 / 60.0);
        limber_trouble_words(trouble, words, sizeof words);
        if (trouble != 0) fprintf(stderr, "frame %d: %s\n", frame, words);
        must(limber_world_positions_float(world, body, positions, vertices, &error), &error); /* to the graphics card */
        if (frame % 6 == 5)
            printf("%.1f s: %.3f %.3f %.3f\n", t, positions[3 * tip], positions[3 * tip + 1], positions[3 * tip + 2]);
    }
    free(positions);
    limber_world_free(world);
    return 0;
}
