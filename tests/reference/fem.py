"""Element matrices, assembly and lumping for the reference solver (numpy only, shares nothing with src/).

Written from the textbook definitions: bilinear quads (2x2 Gauss) and trilinear hexahedra (2x2x2 Gauss),
consistent mass, row-sum lumping, B-bar as mean dilatation in three dimensions. SI units throughout.
"""
import itertools
import numpy as np
import scipy.sparse as sp


def material_matrix(young, nu, kind):
    """Stress from strain; 'solid' orders (xx, yy, zz, xy, yz, zx), 'strain' (xx, yy, zz, xy), 'stress' (xx, yy, xy)."""
    if kind == "stress":
        return young / (1 - nu * nu) * np.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]])
    lam = young * nu / ((1 + nu) * (1 - 2 * nu))
    mu = young / (2 * (1 + nu))
    shear = 3 if kind == "solid" else 1
    d = np.zeros((3 + shear, 3 + shear))
    d[:3, :3] = lam
    d[:3, :3] += 2 * mu * np.eye(3)
    d[3:, 3:] = mu * np.eye(shear)
    return d


def grid(counts, sizes):
    """Vertices (x fastest) and cells of a box; corners of a cell in tensor order (x fastest)."""
    axes = [np.linspace(0.0, size, count + 1) for count, size in zip(counts, sizes)]
    mesh = np.meshgrid(*axes[::-1], indexing="ij")
    vertices = np.stack([m.ravel() for m in mesh[::-1]], axis=1)
    strides = np.cumprod([1] + [c + 1 for c in counts[:-1]])
    dim = len(counts)
    offsets = [sum(b * s for b, s in zip(bits, strides)) for bits in corner_bits(dim)]
    starts = [sum(i * s for i, s in zip(index, strides)) for index in itertools.product(*[range(c) for c in counts])]
    return vertices, np.array([[s + o for o in offsets] for s in starts])


def corner_bits(dim):
    return [tuple((k >> axis) & 1 for axis in range(dim)) for k in range(2**dim)]


def shapes(dim, xi):
    """Multilinear shape functions and their derivatives at xi in [-1, 1]^dim."""
    signs = 2 * np.array(corner_bits(dim)) - 1
    factors = (1 + signs * xi) / 2
    values = factors.prod(axis=1)
    slopes = np.empty((2**dim, dim))
    for axis in range(dim):
        others = np.delete(factors, axis, axis=1).prod(axis=1)
        slopes[:, axis] = signs[:, axis] / 2 * others
    return values, slopes


def strain_matrix(gradients, kind):
    """Rows of strain per corner displacement; shear is engineering shear."""
    corners, dim = gradients.shape
    pairs = [(0, 1), (1, 2), (2, 0)] if dim == 3 else [(0, 1)]
    normals = 2 if kind == "stress" else 3
    b = np.zeros((normals + len(pairs), corners * dim))
    for axis in range(dim):
        b[axis, axis::dim] = gradients[:, axis]
    for row, (i, j) in enumerate(pairs):
        b[normals + row, i::dim] = gradients[:, j]
        b[normals + row, j::dim] = gradients[:, i]
    return b


def cell_matrices(points, d, density, kind, bbar):
    """Stiffness and consistent mass of one cell."""
    corners, dim = points.shape
    gauss = itertools.product([-1 / np.sqrt(3.0), 1 / np.sqrt(3.0)], repeat=dim)
    samples = []
    mass = np.zeros((corners, corners))
    for xi in gauss:
        values, slopes = shapes(dim, np.array(xi))
        jacobian = points.T @ slopes
        weight = np.linalg.det(jacobian)
        samples.append((weight, strain_matrix(slopes @ np.linalg.inv(jacobian), kind)))
        mass += density * weight * np.outer(values, values)
    volume = sum(weight for weight, _ in samples)
    mean = sum(weight * b[:3].sum(axis=0) for weight, b in samples) / volume
    stiffness = np.zeros((corners * dim, corners * dim))
    for weight, b in samples:
        if bbar:
            b = b.copy()
            b[:3] -= (b[:3].sum(axis=0) - mean) / 3
        stiffness += weight * b.T @ d @ b
    return stiffness, np.kron(mass, np.eye(dim))


def assemble(vertices, cells, material, kind, bbar=False):
    """Sparse K and M over all vertices; every cell is computed, none is assumed equal to another."""
    if bbar and kind == "stress":
        raise ValueError("B-bar needs the out-of-plane strain, which plane stress leaves free")
    dim = vertices.shape[1]
    d = material_matrix(material["young"], material["nu"], kind)
    rows, cols, k_values, m_values = [], [], [], []
    for cell in cells:
        k, m = cell_matrices(vertices[cell], d, material["density"], kind, bbar)
        dofs = (cell[:, None] * dim + np.arange(dim)).ravel()
        rows.append(np.repeat(dofs, len(dofs)))
        cols.append(np.tile(dofs, len(dofs)))
        k_values.append(k.ravel())
        m_values.append(m.ravel())
    place = (np.concatenate(rows), np.concatenate(cols))
    size = (vertices.size, vertices.size)
    return (
        sp.csr_matrix((np.concatenate(k_values), place), size),
        sp.csr_matrix((np.concatenate(m_values), place), size),
    )


def row_sum(matrix):
    return sp.diags(np.asarray(matrix.sum(axis=1)).ravel()).tocsr()
