// One body that falls on a floor by the method bem: the frames of a run, and what the claims of the jelly paper need
// besides.
#pragma once

#include <limber/progress.hpp>
#include <limber/tools/recording.hpp>
#include <limber/tools/scene.hpp>

#include <memory>
#include <string>
#include <vector>

namespace limber {

/// The end of a step (the first: the start).
struct DropMoment {
    double time = 0.0;  ///< [s]
    Vec3 centre;        ///< of the rigid motion [m]
    Quat rotation;
    double energy = 0.0;             ///< kinetic, of the reaction, of ringing and of gravity [J]
    double push = 0.0;               ///< of all obstacles, upwards [N]
    double lowest = 0.0;             ///< of the surface [m]
    double width = 0.0, tall = 0.0;  ///< of the surface, along x and y [m]
    int passes = 0;                  ///< of the search for contact points
};

struct Drop {
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const Recording> recording;  ///< a frame per moment
    std::vector<DropMoment> moments;
    double mass = 0.0;          ///< [kg]
    std::vector<double> costs;  ///< processor time of each step in contact, ascending [s]
    double prepared = 0.0;      ///< processor time of preparing [s]

    double fall() const { return moments.front().lowest; }  ///< from start to floor [m]
    double touching_height() const {
        return moments.front().centre.y - fall();
    }                                                      ///< of the centroid when it first touches, unturned [m]
    double scale() const { return mass * 9.81 * fall(); }  ///< the energy of the fall [J]
};

/// Falls from rest through the scene's duration, step by step. Throws Error{interrupted}, and Error{unsupported} when a
/// step goes wrong.
Drop run_drop(const Scene& scene, Progress& progress);

/// Highest point after the first contact over the height of fall; 0 when it never touched.
double rebound_of(const Drop& drop);
/// How long the first contact lasts [s].
double contact_time(const Drop& drop);
/// The most that energy ever grows from one step to the next, over the energy of the fall.
double energy_gain(const Drop& drop);
/// The moment of the first contact's strongest push.
std::size_t hardest(const Drop& drop);
/// Displacement of the surface's vertices by change of shape at a moment, rigid motion taken out, world axes [m].
std::vector<Vec3> shape_of(const Drop& drop, std::size_t moment);
/// Root mean square of it [m].
double rms(const std::vector<Vec3>& u);
/// Root mean square difference over that of `truth`.
double distance_of(const std::vector<Vec3>& u, const std::vector<Vec3>& truth);

/// What the model itself says of a disc: m y'' = k V(depth) - m g, V the circle's segment, in tiny steps. The time from
/// touch to leaving [s].
double model_contact_time(double radius, double density, double stiffness, double fall);
/// Area of the polygon's part below y = 0 [m^2].
double area_below(const std::vector<Vec3>& polygon);

}  // namespace limber
