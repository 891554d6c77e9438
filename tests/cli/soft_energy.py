"""Energies of a recorded run by a second way: reads a .limber file of tet4 cells from the words of docs/formats.md alone."""
import array

from recording_bytes import Bytes


class Numbers(Bytes):
    def many(self, code):
        out = array.array(code)
        out.frombytes(self.take(self.one("Q") * out.itemsize))
        return out


def read(path):
    """(rest positions, corners of tets, [(time, displacements, velocities, kinetic, elastic)])"""
    whole = Numbers(open(path, "rb").read())
    whole.take(20)
    head = Numbers(whole.take(whole.one("Q")))
    whole.take(8)
    head.text(), head.one("Q"), head.text(), head.text(), head.one("d"), head.one("d"), head.one("Q"), head.text()
    if head.one("B") != 2:
        raise ValueError("no tet4 cells")
    rest, corners, frames = head.many("d"), head.many("i"), []
    while whole.at < len(whole.data):
        kind, length = whole.one("I"), whole.one("Q")
        record = Numbers(whole.take(length))
        whole.take(8)
        if kind == 1:
            frames.append((record.one("d"), record.many("d"), record.many("d"), record.one("d"), record.one("d")))
    return rest, corners, frames


def tet_masses(rest, corners, density):
    out = []
    for k in range(0, len(corners), 4):
        o, *p = ([rest[3 * v + i] for i in range(3)] for v in corners[k : k + 4])
        a, b, c = ([x[i] - o[i] for i in range(3)] for x in p)
        out.append(
            density
            / 6
            * abs(
                a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
            )
        )
    return out


def balance(path, density, gravity):
    """Largest (kinetic + elastic - work of gravity) over the run, relative to the work so far at its largest; the same relative to the
    work at that time; how far our own kinetic energy (consistent mass) is from the recorded one; the largest motion [m].
    """
    rest, corners, frames = read(path)
    masses = tet_masses(rest, corners, density)
    vertex = [0.0] * (len(rest) // 3)
    for k, m in enumerate(masses):
        for v in corners[4 * k : 4 * k + 4]:
            vertex[v] += m / 4
    most = worst = strict = apart = farthest = 0.0
    for time, u, v, kinetic, elastic in frames:
        work = sum(gravity[i] * sum(map(float.__mul__, vertex, u[i::3])) for i in range(3))
        most = max(most, abs(work))
        farthest = max(farthest, max(map(abs, u)))
        over = kinetic + elastic - work
        if time > 0.0 and most > 0.0:
            worst = max(worst, over / most)
            strict = max(strict, over / abs(work) if work else 0.0)
    ours = 0.0
    _, _, v, kinetic, _ = frames[len(frames) // 2]
    for k, m in enumerate(masses):
        four = corners[4 * k : 4 * k + 4]
        for i in range(3):
            speeds = [v[3 * c + i] for c in four]
            ours += m / 40 * (sum(speeds) ** 2 + sum(s * s for s in speeds))
    apart = abs(ours - kinetic) / max(ours, kinetic, 1e-9 * most) if most > 0.0 else 0.0
    return {"over": worst, "over_now": strict, "kinetic_off": apart, "farthest": farthest}
