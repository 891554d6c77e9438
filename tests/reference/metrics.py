"""The paper's three error measures, as errata.md settles them."""
import numpy as np


def relative_l2(reference, candidate):
    """E_n as printed: Euclidean norm over all vertex components; 0 at rest."""
    size = np.linalg.norm(reference)
    return float(np.linalg.norm(candidate - reference) / size) if size > 0 else 0.0


def interior(reference, candidate, weights, dim):
    """E_i as printed [m^dim]: tributary weights times distance over the dim-th root of the rest volume."""
    distance = np.linalg.norm((candidate - reference).reshape(-1, dim), axis=1)
    return float(weights @ distance / weights.sum() ** (1.0 / dim))


def surface(reference, candidate):
    """E_s: area of the symmetric difference of two closed polygons over the reference's area (even-odd)."""
    area = even_odd_area(edges_of(reference))
    return even_odd_area(np.concatenate([edges_of(reference), edges_of(candidate)])) / area


def edges_of(polygon):
    return np.stack([polygon, np.roll(polygon, -1, axis=0)], axis=1)


def even_odd_area(edges):
    """Area of the points that a ray leaves through an odd number of edges, exact up to rounding.

    The xor of two even-odd regions is the even-odd region of both edge lists together, so one routine
    serves for the polygons and for their symmetric difference. Between two neighbouring heights at which an
    edge ends or two edges cross, the edges keep their order in x, and the region is a row of trapezoids.
    """
    edges = without_pairs(edges)
    edges = edges[edges[:, 0, 1] != edges[:, 1, 1]]
    if len(edges) == 0:
        return 0.0
    heights = np.unique(np.concatenate([edges[:, :, 1].ravel(), crossing_heights(edges)]))
    low = edges[:, :, 1].min(axis=1)
    high = edges[:, :, 1].max(axis=1)
    slope = (edges[:, 1, 0] - edges[:, 0, 0]) / (edges[:, 1, 1] - edges[:, 0, 1])
    total = 0.0
    for bottom, top in zip(heights[:-1], heights[1:]):
        middle = 0.5 * (bottom + top)
        if not bottom < middle < top:
            continue  # neighbouring floating-point numbers: no room for a row
        through = (low < middle) & (middle < high)
        xs = np.sort(edges[through, 0, 0] + slope[through] * (middle - edges[through, 0, 1]))
        total += (top - bottom) * float((xs[1::2] - xs[0::2]).sum())
    return total


def without_pairs(edges):
    """Drops edges that occur twice (the clamped sides of both polygons): they cancel in the parity."""
    flip = (edges[:, 0, 0] > edges[:, 1, 0]) | ((edges[:, 0, 0] == edges[:, 1, 0]) & (edges[:, 0, 1] > edges[:, 1, 1]))
    ordered = np.where(flip[:, None, None], edges[:, ::-1], edges)
    unique, counts = np.unique(ordered.reshape(len(edges), 4), axis=0, return_counts=True)
    return unique[counts % 2 == 1].reshape(-1, 2, 2)


def crossing_heights(edges):
    """y of every proper crossing of two edges."""
    p = edges[:, 0]
    r = edges[:, 1] - p
    gap = p[None, :, :] - p[:, None, :]
    cross = r[:, None, 0] * r[None, :, 1] - r[:, None, 1] * r[None, :, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (gap[..., 0] * r[None, :, 1] - gap[..., 1] * r[None, :, 0]) / cross
        t = (gap[..., 0] * r[:, None, 1] - gap[..., 1] * r[:, None, 0]) / cross
    i, j = np.nonzero((cross != 0) & (s > 0) & (s < 1) & (t > 0) & (t < 1))
    keep = i < j
    return p[i[keep], 1] + s[i[keep], j[keep]] * r[i[keep], 1]
