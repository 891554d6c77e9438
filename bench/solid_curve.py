#!/usr/bin/env python3
"""How time and memory of `limber mesh solid` grow with the surface: solid_curve.py LIMBER OUT.csv OUT.svg. Standard library only.

A duck of 10k to 400k triangles, as it is and as a soup of separate triangles with a part of them turned, becomes a solid of 20000
cells. Processor time and the largest memory of the whole program: reading, cleaning, orienting, filling, writing. Each is run three
times; the least counts.
"""
import math
import os
import subprocess
import sys
import tempfile

SIZES = [10000, 25000, 50000, 100000, 200000, 400000]
KINDS = {"clean": [], "soup": ["--dirty", "soup", "--seed", "1"]}


def measured(command):
    """Processor time [s] and largest memory [MB]."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"FAILED: {' '.join(command)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def rows(limber, folder):
    for kind, options in KINDS.items():
        for size in SIZES:
            surface = os.path.join(folder, "duck.ply")
            subprocess.run(
                [limber, "mesh", "asset", "duck", "--triangles", str(size), *options, "-o", surface],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            with open(surface, "rb") as file:
                head = file.read(2000).decode("ascii", "replace")
            triangles = int(head.split("element face ")[1].split()[0])
            runs = [
                measured(
                    [
                        limber,
                        "mesh",
                        "solid",
                        surface,
                        "--cells",
                        "20000",
                        "-o",
                        os.path.join(folder, "duck.msh"),
                        "--quiet",
                        "--threads",
                        "1",
                    ]
                )
                for _ in range(3)
            ]
            yield kind, triangles, min(r[0] for r in runs), min(r[1] for r in runs)


def exponent(points):
    """Of the power law between the first and the last point."""
    (x0, y0), (x1, y1) = points[0], points[-1]
    return math.log(y1 / y0) / math.log(x1 / x0)


def panel(left, title, series, lowest, highest):
    """One log-log plot of 330 by 250."""
    x = lambda v: left + 50 + 260 * (math.log10(v) - 3.9) / (5.75 - 3.9)  # noqa: E731
    y = lambda v: 250 - 200 * (math.log10(v) - lowest) / (highest - lowest)  # noqa: E731
    out = [f'<text x="{left + 180}" y="32" text-anchor="middle" font-weight="bold">{title}</text>']
    for power in range(math.ceil(lowest), math.floor(highest) + 1):
        out.append(
            f'<path d="M{x(8000):.1f} {y(10 ** power):.1f}H{x(550000):.1f}" stroke="#ddd"/>'
            f'<text x="{left + 44}" y="{y(10 ** power) + 4:.1f}" text-anchor="end">{10 ** power:g}</text>'
        )
    for size in (10000, 100000, 400000):
        out.append(
            f'<path d="M{x(size):.1f} 50V250" stroke="#ddd"/><text x="{x(size):.1f}" y="266" text-anchor="middle">{size // 1000}k</text>'
        )
    for (kind, points), colour in zip(series.items(), ("#2266aa", "#cc6622")):
        out.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)}"/>'
        )
        out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{colour}"/>' for a, b in points]
        out.append(
            f'<text x="{left + 60}" y="{66 if kind == "clean" else 82}" fill="{colour}">{kind}: grows as N^{exponent(points):.2f}</text>'
        )
    return out


def plot(table, commit):
    time, memory = {}, {}
    for kind, triangles, seconds, megabytes in table:
        time.setdefault(kind, []).append((triangles, seconds))
        memory.setdefault(kind, []).append((triangles, megabytes))
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="700" height="290" font-family="sans-serif" font-size="11">',
        f"<!-- {commit} -->",
        '<rect width="700" height="290" fill="white"/>',
    ]
    lines += panel(0, "processor time [s], 20000 cells", time, -0.7, 1.7) + panel(
        345, "largest memory [MB]", memory, 0.9, 2.95
    )
    lines += ['<text x="350" y="284" text-anchor="middle">triangles of the surface</text>', "</svg>", ""]
    return "\n".join(lines)


def main():
    limber, csv, svg = sys.argv[1:4]
    commit = (
        "written by bench/solid_curve.py with "
        + subprocess.run([limber, "--version"], capture_output=True, text=True, check=True)
        .stdout.strip()
        .splitlines()[0]
    )
    with tempfile.TemporaryDirectory() as folder:
        table = []
        for row in rows(limber, folder):
            table.append(row)
            print("%-6s %7d triangles  %6.2f s  %6.0f MB" % row, flush=True)
    with open(csv, "w", encoding="utf-8") as file:
        file.write(f"# {commit}\nsurface,triangles,processor_time_s,largest_memory_mb\n")
        file.writelines("%s,%d,%.3f,%.1f\n" % row for row in table)
    with open(svg, "w", encoding="utf-8") as file:
        file.write(plot(table, commit))


if __name__ == "__main__":
    main()
