// The mesh doctor: what is wrong with a surface, in plain words, and the repairs that leave its shape alone.
#pragma once

#include <limber/mesh.hpp>
#include <limber/progress.hpp>

#include <string>
#include <vector>

namespace limber {

struct SurfaceFinding {
    enum class Kind {
        hole,
        shared_edge,
        shared_vertex,
        self_intersection,
        disagreeing_faces,
        inside_out,
        one_sided,
        doubled_vertex,
        unused_vertex,
        flat_face,
        repeated_face,
        bad_corner,
        island,
        unlikely_size
    };
    /// fault: a closed solid skin has none of these. note: worth knowing.
    enum class Severity { note, fault };
    Kind kind;
    Severity severity;
    std::size_t count = 0;
    std::int32_t face = -1;   ///< of the surface, from 0; -1 = none in particular
    Vec3 where;               ///< one of the places, in the surface's own unit
    bool repairable = false;  ///< repair() removes it without changing the shape
    std::string message;      ///< one line in plain words, with numbers
};
const char* to_string(SurfaceFinding::Kind kind);

struct SurfaceHealth {
    std::size_t vertices = 0, faces = 0, triangles = 0;
    Vec3 low, high;           ///< of the vertices in use
    double area = 0.0;        ///< of the surface's unit, squared
    double volume = 0.0;      ///< enclosed; 0 unless closed
    bool closed = false;      ///< every edge has two faces
    std::size_t islands = 0;  ///< pieces that share no vertex
    std::size_t holes = 0;
    double longest_hole = 0.0;             ///< perimeter
    std::vector<SurfaceFinding> findings;  ///< faults first
    bool sound() const;                    ///< no faults
};

struct DoctorSettings {
    double unit = 1.0;               ///< [m] of one unit of the coordinates
    bool self_intersections = true;  ///< by far the longest examination
    /// Vertices may be doubled, as formats with one texture coordinate per vertex need: a note, no fault.
    bool seams = false;
};
/// Throws Error{interrupted}. Vertices nearer than a millionth of the diagonal count as one.
SurfaceHealth examine(const Surface& surface, const DoctorSettings& settings, Progress& progress);

/// What repair() did.
struct RepairReport {
    std::size_t joined_vertices = 0, unused_vertices = 0, flat_faces = 0, repeated_faces = 0, bad_faces = 0;  ///< gone
    std::size_t flat_kept = 0;        ///< flat faces that hold their neighbours together
    std::size_t shortened_faces = 0;  ///< polygons that named a corner twice in a row
    std::size_t turned_faces = 0;
    bool changed() const {
        return joined_vertices + unused_vertices + flat_faces + repeated_faces + bad_faces + shortened_faces +
                   turned_faces >
               0;
    }
    std::string words() const;  ///< "3 doubled vertices joined, 2 faces turned"; "nothing" when there was none
};
/// Where what repair() kept was before.
struct RepairSources {
    std::vector<std::int32_t> vertex;  ///< of each vertex: its number in the surface; of joined ones the lowest
    std::vector<std::int32_t> face;    ///< of each face
    std::vector<std::int32_t> corner;  ///< of each face corner: its index in Surface::faces
};

/// Joins doubled vertices, leaves out flat and repeated faces and unused vertices, and turns faces outwards. Polygons,
/// and the order of the vertices and faces that stay, are kept. Holes stay open: closing them would invent a shape.
Surface repair(const Surface& surface, RepairReport& report, RepairSources* sources = nullptr);

}  // namespace limber
