// What helps a body of large strain that did not get through its run: which cells, and how stiff it would have to be.
#pragma once

#include <limber/body.hpp>
#include <limber/loads.hpp>
#include <limber/tools/scene.hpp>

#include <memory>
#include <string>

namespace limber {

/// How far the edges of a held body would be stretched or turned at rest under its loads, by small strain: 99 of 100
/// cells by less. Goes with 1 over its stiffness. 0 where that is not known: a body that is not held, that handles or
/// obstacles move, or without loads.
double strain_at_rest(const std::shared_ptr<const Body>& body, const Loads& loads);

/// By methods that linearise again and again: they have a max_newton.
bool is_of_large_strain(const Scene& scene);

/// How soft it is, and the stiffness with which that would be moderate; "" where softness is not what troubles it.
std::string softness_warning(const Scene& scene, const std::shared_ptr<const Body>& body, const Loads& loads);

/// The same before a run of large strain, where cells would be strained or turned so much that the body falls into
/// itself;
/// "" also where asking would take long (more than 10,000 cells).
std::string too_soft_warning(const Scene& scene, const std::shared_ptr<const Body>& body);

/// "at vertex 12 of cells 40, 41, 57, 60 and 8 more, near (0.1, 0.2, 0) m"
std::string position_words(const Mesh& mesh, std::int32_t vertex);
/// "cell 40 near (0.1, 0.2, 0) m"
std::string cell_words(const Mesh& mesh, std::int32_t cell);

}  // namespace limber
