"""Whether an output file is whole, by its ending: what the tests of interruptions and full disks share."""
import csv
import json
import pathlib
import re
import struct
import zipfile


def _csv(path):
    text = path.read_text()
    if not text.endswith("\n"):
        return "cut: no line break at its end"
    rows = [row for row in csv.reader(line for line in text.splitlines() if not line.startswith("#"))]
    if len({len(row) for row in rows}) > 1:
        return "rows of different lengths"
    return None


def _mp4(path):
    data, at, kinds = path.read_bytes(), 0, []
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        kinds.append(kind)
        if size == 1:
            size = struct.unpack(">Q", data[at + 8 : at + 16])[0]
        if size < 8 or at + size > len(data):
            return f"a box {kind} that is cut"
        at += size
    return None if at == len(data) and {b"moov", b"mdat"} <= set(kinds) else f"boxes {kinds}"


def _recording(path):
    data = path.read_bytes()
    if not data.startswith(b"limber recording"):
        return "no recording"
    at = 16 + 12 + struct.unpack("<Q", data[20:28])[0] + 8
    last = 0
    while at + 20 <= len(data):
        last, length = struct.unpack("<IQ", data[at : at + 12])
        at += 20 + length
    return None if at == len(data) and last == 2 else "no end record"


def _npz(path):
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip()
    except zipfile.BadZipFile as error:
        return str(error)


def _json(path):
    try:
        for line in path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]:
            json.loads(line)
    except ValueError as error:
        return str(error)
    return None


def _ends(*endings):
    return lambda path: None if path.read_bytes().rstrip().endswith(endings) else "cut at its end"


def _sized(offset, form):
    """Formats that say how long they are."""
    return (
        lambda path: None
        if struct.unpack_from(form, path.read_bytes(), offset)[0] == path.stat().st_size
        else "not as long as it says"
    )


def _pvd(path):
    wrong = _ends(b"</VTKFile>")(path)
    scenes = set()
    for name in re.findall(r'file="([^"]+)"', path.read_text()):
        frame = path.parent / name
        if not frame.exists():
            return f"lists {name}, which is not there"
        scenes.add(re.search(rb"scene \S+ 0x[0-9a-f]+", frame.read_bytes()[:600]).group())
    return wrong or (f"lists frames of {len(scenes)} scenes" if len(scenes) > 1 else None)


def _page(path):
    text = path.read_text()
    if not text.rstrip().endswith("</html>"):
        return "cut at its end"
    missing = [
        name for name in re.findall(r'(?:href|src|poster)="([^"#:]+)"', text) if not (path.parent / name).exists()
    ]
    return f"names {missing[:3]}, which are not there" if missing else None


CHECKS = {
    ".csv": _csv,
    ".mp4": _mp4,
    ".limber": _recording,
    ".npz": _npz,
    ".json": _json,
    ".files": _json,
    ".svg": _ends(b"</svg>"),
    ".png": _ends(b"IEND\xaeB`\x82"),
    ".vtu": _ends(b"</VTKFile>"),
    ".pvd": _pvd,
    ".html": _page,
    ".glb": _sized(8, "<I"),
    ".jsonl": lambda path: None,
}


def wrong_with(path):
    """None for a file that is whole."""
    path = pathlib.Path(path)
    if path.stat().st_size == 0:
        return "empty"
    return CHECKS[path.suffix](path) if path.suffix in CHECKS else None


def is_temporary(path):
    """NAME.PROCESS-NUMBER.tmp, or inside a folder of such a name."""
    return any(re.fullmatch(r".+\.\d+-\d+\.tmp", part) for part in pathlib.Path(path).parts)


def leftovers(folder):
    """What is wrong in a folder, one line each; temporaries apart."""
    wrong, temporary = [], []
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if is_temporary(path.relative_to(folder)):
            temporary.append(str(path.relative_to(folder)))
        elif path.is_file() and (why := wrong_with(path)):
            wrong.append(f"{path.relative_to(folder)}: {why}")
    return wrong, temporary
