#include "study/compare_output.hpp"
#include "study/compare_reference.hpp"
#include "study/compare_run.hpp"

#include "io/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

namespace limber {
namespace {

/// A damped strip in the plane that sags: small, and smooth enough for orders to show.
const char* strip_json() {
    return R"({"format": 1, "name": "strip", "about": "A strip sags.",
 "bodies": [{"name": "strip", "mesh": {"shape": "grid", "kind": "quad4", "counts": [6, 2], "low": [0, 0], "high": [0.3, 0.1]},
   "materials": [{"young": 4000, "poisson": 0.3, "density": 1000, "rayleigh_alpha": 2, "rayleigh_beta": 0.02}],
   "anchors": [{"set": "left"}]}],
 "gravity": {"vector": [0, -0.5, 0], "keyframes": [{"t": 0, "scale": 0}, {"t": 0.3, "scale": 1}], "interpolation": "smooth"},
 "method": {"name": "linear_fem", "options": {"scheme": "newmark_implicit"}},
 "step": "1/50", "duration": 0.6, "output": {"every": 1}})";
}

Scene short_strip() { return parse_scene(strip_json(), "strip.json"); }

class CompareFiles : public ::testing::Test {
protected:
    CandidateRequest request(std::vector<std::string> vary = {}) const {
        std::ofstream(folder_.file("strip.json")) << strip_json();
        CandidateRequest out;
        out.scene_path = folder_.file("strip.json");
        out.vary = std::move(vary);
        return out;
    }
    CompareSettings settings(std::vector<std::string> vary, const std::string& reference = "refined:1",
                             std::vector<std::string> sets = {}) const {
        CandidateRequest asked = request(std::move(vary));
        asked.sets = std::move(sets);
        CandidateList list = list_candidates(asked);
        CompareSettings out;
        out.base = std::move(list.base);
        out.scene_json = std::move(list.scene_json);
        out.candidates = std::move(list.candidates);
        out.reference = parse_reference(reference);
        return out;
    }
    testing_io::TemporaryFolder folder_;
};

std::string why(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

// ---- the scene on a finer mesh

TEST(RefinedScene, ForcesKeepTheirSumAndHandlesTheirPivot) {
    // Per-vertex forces would double with the vertices; a centroid of more vertices is another point.
    Scene scene = short_strip();
    BodySpec& body = scene.bodies[0];
    body.forces.push_back({"right", {0.0, -2.0, 0.0}, false, {}});
    body.sets.push_back({"grip", VertexSetSpec::Kind::vertices, {}, {}, {}, 0.0, {0, 1, 2, 7}, {}});
    body.handles.push_back({"grip", "grip", {}, std::nullopt, {}, Interpolation::linear});
    body.anchors.clear();
    const Scene finer = refined_scene(scene);
    const std::shared_ptr<const Body> before = make_body(scene), after = make_body(finer);
    EXPECT_GT(after->vertex_count(), 3 * before->vertex_count());
    Timeline timeline(finer, after);
    Vec3 sum;
    for (const Vec3& f : timeline.at_step(1).force) sum += f;
    EXPECT_NEAR(sum.y, -6.0, 1e-12);
    EXPECT_EQ(after->handles()[0].pivot, before->handles()[0].pivot);
    EXPECT_GT(after->handles()[0].vertices.size(), 4u);  // the listed patch grew with the mesh
}

TEST(RefinedScene, ThePointThatWasMeantStaysThatPoint) {
    // (0.07, 0.05) lies between vertices; on the finer mesh another vertex is nearer, and a needle there would be
    // another experiment.
    Scene scene = short_strip();
    scene.bodies[0].sets.push_back({"tip", VertexSetSpec::Kind::nearest, {}, {}, {0.07, 0.05, 0.0}, 0.0, {}, {}});
    scene.bodies[0].forces.push_back({"tip", {0.0, -1.0, 0.0}, true, {}});
    const Mesh before = make_mesh(scene.bodies[0]), after = make_mesh(refined_scene(scene).bodies[0]);
    EXPECT_EQ(after.vertex_sets.at("tip"), before.vertex_sets.at("tip"));
}

TEST(RefinedScene, BoxesPickTheirVerticesAnew) {
    Scene scene = short_strip();
    scene.bodies[0].sets.push_back({"end", VertexSetSpec::Kind::box, {0.26, -1, -1}, {1, 1, 1}, {}, 0.0, {}, {}});
    const Mesh after = make_mesh(refined_scene(scene).bodies[0]);
    EXPECT_EQ(after.vertex_sets.at("end"), vertices_in_box(after, {0.26, -1, -1}, {1, 1, 1}));
    EXPECT_EQ(after.vertex_sets.at("end").size(), 10u);  // two columns of five; the coarse mesh has one of three
}

TEST(RefinedScene, OrderIsForTetrahedra) {
    EXPECT_NE(why([] { refined_scene(short_strip(), Finer::order); }).find("quad4"), std::string::npos);
    Scene scene = short_strip();
    MeshGenerator& g = scene.bodies[0].mesh.generator;
    g.shape = MeshGenerator::Shape::box;
    g.kind = CellKind::tet4;
    g.counts = {2, 1, 1};
    g.high = {0.3, 0.1, 0.1};
    EXPECT_EQ(make_body(refined_scene(scene, Finer::order))->mesh().kind, CellKind::tet10);
}

// ---- candidates

TEST_F(CompareFiles, CandidatesAreTheProductOfWhatIsVaried) {
    const CandidateList list = list_candidates(request({"scheme=all", "step=1/50,1/100"}));
    ASSERT_EQ(list.candidates.size(), 14u);
    EXPECT_EQ(list.candidates[1].name, "newmark_implicit, step 1/100");
    EXPECT_EQ(list.candidates[13].name, "quasi_static, step 1/100");
    EXPECT_DOUBLE_EQ(list.candidates[1].scene->step, 0.01);
    EXPECT_EQ(*list.candidates[13].scene->method.options.at("scheme").word(), "quasi_static");
    for (const char* axis : {"method=linear_fem,corotational", "method.name=linear_fem,corotational"}) {
        const CandidateList methods = list_candidates(request({axis, "step=1/50,1/100"}));
        ASSERT_EQ(methods.candidates.size(), 4u) << axis;
        for (const Candidate& c : methods.candidates)
            EXPECT_EQ(c.scene->method.name, c.choices[0].value) << axis;  // the label is what was run
        EXPECT_EQ(methods.candidates[3].scene->method.name, "corotational") << axis;
    }
    EXPECT_EQ(list_candidates(request()).candidates.size(), 1u);
    EXPECT_EQ(list_candidates(request()).candidates[0].name, "linear_fem");
    EXPECT_EQ(
        list_candidates(request({"mesh.counts=[6,2],[12,4]"})).candidates[1].scene->bodies[0].mesh.generator.counts[0],
        12);
}

TEST_F(CompareFiles, WhatMeansNothingIsRefusedWithASuggestion) {
    EXPECT_NE(why([&] { list_candidates(request({"shceme=all"})); }).find("scheme"), std::string::npos);
    EXPECT_NE(why([&] { list_candidates(request({"scheme=bdf3"})); }).find("bdf2"), std::string::npos);
    EXPECT_NE(why([&] { list_candidates(request({"step=all"})); }).find("not a choice"), std::string::npos);
    EXPECT_NE(why([&] { list_candidates(request({"step"})); }).find("no \"=\""), std::string::npos);
    // A slip of the finger is told at once, not as a row after a reference of a minute.
    for (const char* empty : {"step=", "step=1/50,,1/100", "scheme="})
        EXPECT_NE(why([&] { list_candidates(request({empty})); }).find("an empty value"), std::string::npos) << empty;
    for (const char* word : {"step=abc", "material.young=1e3,1e", "step=nan", "mesh.counts.0=two"})
        EXPECT_NE(why([&] { list_candidates(request({word})); }).find("expected a number"), std::string::npos) << word;
    EXPECT_NE(why([&] { parse_reference("refinde"); }).find("refined"), std::string::npos);
    EXPECT_NE(why([&] { parse_reference("refined:3"); }).find("\"3\""), std::string::npos);
    EXPECT_NE(why([&] { chosen_metrics({"surfcae"}); }).find("surface"), std::string::npos);
    CandidateRequest many = request({"step=1/50,1/51,1/52,1/53,1/54,1/55,1/56,1/57,1/58,1/59", "scheme=all", "mass=all",
                                     "solver=all", "damping=all"});
    EXPECT_NE(why([&] { list_candidates(many); }).find("candidates"), std::string::npos);
}

TEST_F(CompareFiles, WhatTheMeshCostsIsNotWhatTheStepCosts) {
    // The coarsest level has the candidate's own step: its distance from the reference is the candidate's, not the
    // mesh's.
    const Comparison rough = compare(settings({"step=0.2"}), *std::make_unique<Progress>());
    const double mesh_alone = rough.reference.floors[0].coarse, all = rough.candidates[0].scores[0].overall;
    EXPECT_GT(mesh_alone, 0.0);
    EXPECT_LT(mesh_alone, 0.7 * all);
    // That level is the candidate itself, so its error is just what the reference is known to.
    EXPECT_EQ(all, rough.reference.floors[0].error);
    EXPECT_TRUE(rough.candidates[0].scores[0].below_floor);
}

TEST_F(CompareFiles, ACandidateThatCannotBeMeasuredSaysWhy) {
    // 0.7 s is no frame of a run of 0.6 s, and a body twice as long is another one.
    const Comparison c = compare(settings({"step=0.02,0.7"}, "linear_fem:step=1/50"), *std::make_unique<Progress>());
    const Table table = summary_table(c);
    EXPECT_EQ(table.rows[1].back().find("no relative_l2: "), 0u) << table.rows[1].back();
    EXPECT_EQ(c.candidates[0].notes.size(), 0u);
    const Comparison longer = compare(settings({"mesh.high=[0.6,0.1]"}, "linear_fem:step=1/50"),
                                      *std::make_unique<Progress>());
    ASSERT_FALSE(longer.candidates[0].notes.empty());
    EXPECT_NE(longer.candidates[0].notes[0].find("another body, unit or axis?"), std::string::npos)
        << longer.candidates[0].notes[0];
}

TEST_F(CompareFiles, TheFirstMomentsOfARunAreNotRankedAmongWholeRuns) {
    // At first hardly anything moves and every error is small: a short file would win.
    const Comparison c = compare(settings({"scheme=backward_euler", "duration=0.1,0.59,0.6"}, "linear_fem:step=1/50"),
                                 *std::make_unique<Progress>());
    EXPECT_EQ(c.candidates[0].outcome, Outcome::stopped);
    EXPECT_NE(c.candidates[0].cause.find("ends at 0.1 s"), std::string::npos) << c.candidates[0].cause;
    EXPECT_LT(c.candidates[0].scores[5].overall,
              c.candidates[2].scores[5].overall);                       // max_distance, measured all the same
    EXPECT_TRUE(c.candidates[1].ranked() && c.candidates[2].ranked());  // less than a step short is not short
    EXPECT_EQ(verdict(c).find("most accurate is duration 0.1"), std::string::npos) << verdict(c);
}

TEST_F(CompareFiles, NoWinnerIsNamedAmongThoseTheReferenceCannotTellApart) {
    // On a coarse mesh the mesh's error hides that of a halved step.
    const Comparison c = compare(settings({"step=0.02,0.01"}, "refined"), *std::make_unique<Progress>());
    const std::string words = verdict(c);
    EXPECT_NE(words.find("2 are the most accurate and cannot be told apart"), std::string::npos) << words;
    EXPECT_NE(words.find("The cheapest of them is"), std::string::npos) << words;
    EXPECT_EQ(words.find("the most accurate is"), std::string::npos) << words;
}

TEST_F(CompareFiles, AnImpossibleCombinationIsARowAndNotTheEnd) {
    CandidateRequest r = request({"material.poisson=0.3,0.7"});
    const CandidateList list = list_candidates(r);
    ASSERT_EQ(list.candidates.size(), 2u);
    EXPECT_TRUE(list.candidates[0].fault.empty());
    EXPECT_NE(list.candidates[1].fault.find("poisson"), std::string::npos);
}

TEST(SplitValues, CommasInsideListsStay) {
    EXPECT_EQ(split_values("[1,2],3,\"a,b\""), (std::vector<std::string>{"[1,2]", "3", "\"a,b\""}));
    EXPECT_EQ(split_values(""), (std::vector<std::string>{""}));
}

// ---- frames and numbers

TEST(CommonFrames, StepsRecordWhereTheFramesAre) {
    std::string note;
    EXPECT_EQ(every_of(1.0 / 30, 1.0 / 30, note), 1);
    EXPECT_EQ(every_of(1.0 / 120, 1.0 / 30, note), 4);
    EXPECT_EQ(every_of(1.0 / 10, 1.0 / 30, note), 1);  // longer than the interval, but a multiple of it
    EXPECT_TRUE(note.empty());
    EXPECT_EQ(every_of(1.0 / 50, 1.0 / 30, note), 5);  // meets every third frame
    EXPECT_NE(note.find("0.1 s"), std::string::npos);
}

Recording by_hand(const std::shared_ptr<const Body>& body, double u0, double u1, double u2) {
    Recording r;
    r.body = body;
    r.step = 1.0;
    for (const double u : {0.0, u0, u1, u2}) {
        Frame f;
        f.time = static_cast<double>(r.frames.size());
        f.displacement.assign(body->vertex_count(), Vec3{u, 0.0, 0.0});
        f.velocity.assign(body->vertex_count(), Vec3{});
        r.frames.push_back(std::move(f));
    }
    return r;
}

TEST(Score, OverTheRunIsTheErrorOfTheWholeHistory) {
    // The first moving frame is off by a thousand times its motion, which is tiny: it must not drown the rest.
    const std::shared_ptr<const Body> body = make_body(short_strip());
    const Recording truth = by_hand(body, 1e-6, 1.0, 2.0), other = by_hand(body, 1e-3, 1.1, 2.0);
    const std::vector<Score> s = score(chosen_metrics({"relative_l2", "max_distance"}), truth, other);
    EXPECT_NEAR(s[0].overall, std::sqrt((999e-6 * 999e-6 + 0.1 * 0.1) / (1e-12 + 1.0 + 4.0)), 1e-12);
    EXPECT_NEAR(s[1].overall, std::sqrt((999e-6 * 999e-6 + 0.1 * 0.1) / 4.0), 1e-12);
    EXPECT_GT(s[0].summary.maximum, 900.0);
}

TEST(Score, OnlyTheStartInCommonIsNoComparison) {
    const std::shared_ptr<const Body> body = make_body(short_strip());
    const Recording truth = by_hand(body, 1, 2, 3);
    Recording other = truth;
    for (std::size_t i = 1; i < other.frames.size(); ++i) other.frames[i].time += 0.3;
    const std::vector<Score> s = score(chosen_metrics({"max_distance"}), truth, other);
    EXPECT_FALSE(std::isfinite(s[0].overall));
    EXPECT_FALSE(s[0].missing.empty());
}

TEST(Divergence, FramesBeyondEveryReasonableBoundAreCutAndSaid) {
    // Long before a value overflows a run has nothing more to say, and its metrics would only stretch the plots.
    const std::shared_ptr<const Body> body = make_body(short_strip());
    const Recording truth = by_hand(body, 0.1, 0.2, 0.3);
    ComparedRun run;
    run.recording = by_hand(body, 0.1, 3.0, 1e5);
    run.result.outcome = Outcome::done;
    run.result.file = "series.npz";  // of a run of our own, run_scene has judged
    cut_divergence(truth, run);
    EXPECT_EQ(run.result.outcome, Outcome::diverged);
    EXPECT_EQ(run.recording.frames.size(), 3u);
    EXPECT_EQ(run.result.end_time, 2.0);
    EXPECT_NE(run.result.cause.find("t = 3 s"), std::string::npos) << run.result.cause;
    // A body that travels as far as the reference does is fine, however far.
    ComparedRun traveller;
    traveller.recording = by_hand(body, 1e5, 2e5, 3e5);
    traveller.result.outcome = Outcome::done;
    cut_divergence(by_hand(body, 1e5, 2e5, 3e5), traveller);
    EXPECT_EQ(traveller.result.outcome, Outcome::done);
}

Score scored(double overall) {
    Score s;
    s.overall = overall;
    s.series.t = {1.0};
    s.series.value = {-overall};
    return s;
}

TEST(Floors, ThreeLevelsGiveRichardsonsEstimateAndStrangeOrdersDoNot) {
    const std::vector<MetricSpec> metrics = chosen_metrics({"relative_l2"});
    const Floor second = estimate_floors({{scored(0.04)}, {scored(0.01)}}, {scored(0.05)}, metrics)[0];
    EXPECT_TRUE(second.asymptotic);
    EXPECT_NEAR(second.order, 2.0, 1e-12);
    EXPECT_NEAR(second.error, 0.01 / 3, 1e-15);
    EXPECT_NEAR(second.value[0], 0.01 / 3, 1e-15);
    const Floor strange = estimate_floors({{scored(0.011)}, {scored(0.01)}}, {scored(0.02)}, metrics)[0];
    EXPECT_FALSE(strange.asymptotic);
    EXPECT_EQ(strange.error, 0.01);
    EXPECT_NE(strange.words.find("not in the asymptotic range"), std::string::npos);
    const Floor two = estimate_floors({{scored(0.04)}}, {scored(0.04)}, metrics)[0];
    EXPECT_EQ(two.error, 0.04);
    EXPECT_FALSE(std::isfinite(estimate_floors({}, {}, metrics)[0].error));
}

// ---- the whole

TEST_F(CompareFiles, TheEstimatedErrorOfTheReferenceIsItsError) {
    // Measured against a far finer run than the reference: too small an estimate would call noise an error, too large a
    // one would call errors noise.
    Progress silent;
    CompareSettings s = settings({}, "refined:2");
    const Comparison coarse = compare(s, silent);
    ReferencePlan plan = plan_reference(s);
    Scene far = plan.levels.back();
    for (int k = 0; k < 2; ++k) {
        far = refined_scene(far);
        far.step /= 2;
    }
    const ComparedRun truth = run_reference(far, coarse.interval, silent),
                      reference = run_reference(plan.levels.back(), coarse.interval, silent);
    const std::vector<Score> actual = score(chosen_metrics({"relative_l2", "interior_mean"}), truth.recording,
                                            reference.recording);
    for (const Score& a : actual) {
        for (const Floor& f : coarse.reference.floors) {
            if (std::string(f.metric.name) != a.metric.name) continue;
            EXPECT_TRUE(f.asymptotic) << f.words;
            EXPECT_LT(a.overall, 1.6 * f.error) << a.metric.name << " " << f.words;
            EXPECT_GT(a.overall, 0.4 * f.error) << a.metric.name << " " << f.words;
        }
    }
    // What step and scheme cost on that mesh is far less than the mesh does, and known to be small.
    EXPECT_LT(coarse.candidates[0].same_mesh.overall, 0.3 * coarse.reference.floors[0].coarse);
    EXPECT_GT(coarse.candidates[0].same_mesh.overall, 0.0);
    EXPECT_LT(coarse.reference.same_mesh.error, coarse.candidates[0].same_mesh.overall);
    // And the scene's own run is as far away as its mesh makes it.
    EXPECT_NEAR(coarse.candidates[0].scores[0].overall, coarse.reference.floors[0].coarse,
                0.1 * coarse.reference.floors[0].coarse);
}

TEST_F(CompareFiles, TroubleIsARowWithItsCauseAndTheRestGoesOn) {
    Progress silent;
    // Stiff, undamped and explicit: blows up long before the end. Poisson's ratio 0.7 is no material at all.
    const Comparison c = compare(
        settings({"scheme=newmark_implicit,newmark_explicit", "material.young=4000,4e8", "material.poisson=0.3,0.7"},
                 "refined:1", {"material.rayleigh_beta=0"}),
        silent);
    ASSERT_EQ(c.candidates.size(), 8u);
    EXPECT_EQ(c.candidates[0].outcome, Outcome::done);
    EXPECT_EQ(c.candidates[1].outcome, Outcome::failed);
    EXPECT_NE(c.candidates[1].cause.find("poisson"), std::string::npos);
    const CandidateResult& blown = c.candidates[6];
    EXPECT_EQ(blown.outcome, Outcome::diverged) << blown.name << ": " << blown.cause;
    EXPECT_LT(blown.end_time, 0.6);
    EXPECT_FALSE(blown.notes.empty());  // the step was known to be too long
    for (const CandidateResult& r : c.candidates) {
        for (const Score& s : r.scores)
            for (const double v : s.series.value) EXPECT_TRUE(std::isfinite(v));
    }
    const std::string words = verdict(c);
    EXPECT_NE(words.find("diverged"), std::string::npos) << words;
    EXPECT_NE(words.find("failed"), std::string::npos) << words;
}

/// Wants to stop once the candidates are under way.
class StopLater : public Progress {
public:
    void update(double fraction, std::string_view) override { stop_ = stop_ || fraction > 0.6; }
    bool stop_requested() const override { return stop_; }

private:
    bool stop_ = false;
};

TEST_F(CompareFiles, AnInterruptionKeepsWhatIsDone) {
    StopLater progress;
    const Comparison c = compare(settings({"scheme=newmark_implicit,bdf2,backward_euler,implicit_midpoint"}), progress);
    EXPECT_TRUE(c.interrupted);
    ASSERT_EQ(c.candidates.size(), 4u);
    EXPECT_EQ(c.candidates.front().outcome, Outcome::done);
    EXPECT_EQ(c.candidates.back().outcome, Outcome::not_run);
    EXPECT_NE(verdict(c).find("interrupted"), std::string::npos);
}

TEST_F(CompareFiles, SmallerStepsAreMoreAccurateAndTheReferenceBeatsThemAll) {
    Progress silent;
    const Comparison c = compare(
        settings({"scheme=backward_euler", "step=1/25,1/50,1/100"}, "linear_fem:scheme=newmark_implicit,step=1/800"),
        silent);
    ASSERT_EQ(c.candidates.size(), 3u);
    for (const CandidateResult& r : c.candidates)
        ASSERT_EQ(r.scores[0].series.t.size(), r.step > 0.03 ? 16u : 31u) << r.name;
    // First order in time on one mesh: halving the step halves the error.
    EXPECT_NEAR(c.candidates[0].scores[0].overall / c.candidates[1].scores[0].overall, 2.0, 0.4);
    EXPECT_NEAR(c.candidates[1].scores[0].overall / c.candidates[2].scores[0].overall, 2.0, 0.3);
    EXPECT_EQ(c.reference.levels.size(), 1u);
    EXPECT_DOUBLE_EQ(c.reference.levels[0].step, 1.0 / 800);
    EXPECT_FALSE(std::isfinite(c.reference.floors[0].error));
    EXPECT_NE(verdict(c).find("not known"), std::string::npos);
    // A refined reference goes below the smallest step.
    EXPECT_LE(plan_reference(settings({"step=1/50,1/200"})).levels.back().step, 1.0 / 400 + 1e-12);
    // And refines the finest mesh.
    EXPECT_EQ(make_mesh(plan_reference(settings({"mesh.counts=[12,4],[6,2]"})).levels.back().bodies[0]).cell_count(),
              4u * 48u);
}

TEST_F(CompareFiles, APointLoadIsSaidToHaveNoLimit) {
    Progress silent;
    CompareSettings s = settings({}, "refined:1");
    s.metrics = {"max_distance"};
    EXPECT_TRUE(compare(s, silent).notes.empty());
    s.base.bodies[0].sets.push_back({"tip", VertexSetSpec::Kind::nearest, {}, {}, {0.3, 0.05, 0.0}, 0.0, {}, {}});
    s.base.bodies[0].forces.push_back({"tip", {0.0, -1.0, 0.0}, true, {}});
    const Comparison c = compare(s, silent);
    ASSERT_EQ(c.notes.size(), 1u);
    EXPECT_NE(c.notes[0].find("point load"), std::string::npos);
}

std::string slurp(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

TEST_F(CompareFiles, TheCardOpensFromDiskAndSaysEverything) {
    Progress silent;
    CompareSettings s = settings({"scheme=all", "step=1/50,1/100"});
    s.metrics = {"relative_l2", "surface"};
    Comparison c = compare(s, silent);
    const std::string out = folder_.file("card");
    write_comparison(out, c, silent);
    const std::string html = slurp(out + "/index.html"), csv = slurp(out + "/compare.csv");
    std::string outside = html;
    for (std::size_t at; (at = outside.find("http://www.w3.org/2000/svg")) != std::string::npos;) outside.erase(at, 26);
    for (const char* word : {"http://", "https://", "<script", ">nan", " nan", "NaN", ">inf"})
        EXPECT_EQ(outside.find(word), std::string::npos) << word;
    for (const char* word : {"60 Hz", "1 kHz", "real time", "own error", "newmark_explicit", "Accuracy card", "0x"})
        EXPECT_NE(html.find(word), std::string::npos) << word;
    const nlohmann::json json = nlohmann::json::parse(slurp(out + "/compare.json"));
    EXPECT_EQ(json["candidates"].size(), 14u);
    EXPECT_EQ(json["reference"]["own_error"].size(), 2u);
    EXPECT_FALSE(json["provenance"]["commit"].get<std::string>().empty());
    std::size_t rows = 0, columns = 0;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '#') continue;
        bool quoted = false;
        std::size_t commas = 0;
        for (const char ch : line) {
            quoted = quoted != (ch == '"');
            commas += !quoted && ch == ',' ? 1 : 0;
        }
        if (rows++ == 0) columns = commas;
        EXPECT_EQ(commas, columns) << line;
    }
    EXPECT_EQ(rows, 15u);
    for (const char* name :
         {"error-over-time-relative_l2-1", "error-over-step-cost-surface", "error-over-second-cost-relative_l2"}) {
        for (const char* ending : {".svg", ".csv"}) EXPECT_FALSE(slurp(out + "/" + name + ending).empty()) << name;
    }
}

TEST_F(CompareFiles, NoPanelHasMoreThanSevenCurves) {
    Progress silent;
    CompareSettings s = settings(
        {"scheme=newmark_implicit,bdf2", "step=1/50,1/100,1/150,1/200,1/250,1/300,1/350,1/400,1/450"},
        "linear_fem:step=1/50");
    s.metrics = {"max_distance"};
    const Comparison c = compare(s, silent);
    for (const Figure& f : {error_over_time(c, 0), error_over_cost(c, 0)}) {
        ASSERT_FALSE(f.plots.empty());
        for (const Plot& plot : f.plots) {
            EXPECT_LE(plot.series.size(), 7u);
            EXPECT_FALSE(plot.command.empty());
        }
    }
    // Nine steps along two schemes' lines: one picture per step, one per second.
    EXPECT_EQ(error_over_cost(c, 0).plots.size(), 2u);
    EXPECT_EQ(error_over_cost(c, 0).plots[0].series[0].x.size(), 9u);
    // Nine of one thing are too many colours: they are split over two pictures.
    CompareSettings steps = settings({"step=1/50,1/100,1/150,1/200,1/250,1/300,1/350,1/400,1/450"},
                                     "linear_fem:step=1/50");
    steps.metrics = {"max_distance"};
    const Figure split = error_over_time(compare(steps, silent), 0);
    ASSERT_EQ(split.plots.size(), 2u);
    EXPECT_EQ(split.plots[0].series.size(), 7u);
}

}  // namespace
}  // namespace limber
