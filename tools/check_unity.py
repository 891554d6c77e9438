#!/usr/bin/env python3
"""Names that would clash when the sources of a folder are compiled as one (LIMBER_UNITY, which ./test and ./run use).

    check_unity.py [ROOT]     exit code 1 when a name in an unnamed namespace has two meanings within a layer or test program

Reported: a type, constant or alias defined in the unnamed namespaces of two sources, a function defined there twice with
the same parameters, and a type or constant there that a header defines too. Repeating the same `using` is fine. A
heuristic: the build has the last word.
"""
import collections
import pathlib
import re
import sys

from check_style import blanked

APART = {"kernels"}  # compiled one by one
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.M)
TYPE = re.compile(r"(?:struct|class|enum class|enum struct|enum|union) (\w+)(?: final)?(?: ?:.*)?$")


def pieces(text):
    """(declaration, line, inside an unnamed namespace?) at namespace level; a body or initialiser is left out."""
    text = blanked(text)
    scopes, start, parentheses = [], 0, 0
    for place, char in enumerate(text):
        outside = "body" not in scopes
        if outside:
            parentheses += (char == "(") - (char == ")")
        if parentheses and outside:
            continue  # a default argument may be braced
        if char == "{":
            head = " ".join(text[start:place].split())
            space = re.search(r"\bnamespace ?([\w:]*)$", head)
            if space and outside:
                scopes.append(space.group(1) or "unnamed")
            else:
                if outside:
                    yield head, text.count("\n", 0, place) + 1, "unnamed" in scopes
                scopes.append("body")
        elif char == "}" and scopes:
            scopes.pop()
        elif char == ";" and outside and text[start:place].strip():
            yield " ".join(text[start:place].split()), text.count("\n", 0, place) + 1, "unnamed" in scopes
        if char in "{};" and "body" not in scopes:
            start = place + 1


def parameter_types(head):
    """'(const Vec3& p, int = 0)' -> 'const Vec3&,int': without names and defaults."""
    inside = head[head.index("(") + 1 : head.rindex(")")] if ")" in head else ""
    parts, depth = [""], 0
    for char in inside:
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return ",".join(
        re.sub(r"(?<=[\w>&*\]]) \w+$|(?<=[&*>])\w+$", "", re.sub(r" ?=.*", "", part).strip()) for part in parts
    )


def meanings(head):
    """(name, what it means) of everything that a declaration introduces."""
    head = re.sub(
        r"^template ?<.*?> ?(?=(struct|class|constexpr|auto|void|bool|std|[A-Z]))",
        "",
        re.sub(r"\[\[.*?\]\] ?", "", head),
    )
    if head.startswith(("using namespace", "TEST", "INSTANTIATE", "static_assert", "friend")):
        return
    alias = (
        re.match(r"using (\w+) ?=", head)
        or re.match(r"using [\w:]*::(\w+)$", head)
        or re.match(r"namespace (\w+) ?=", head)
    )
    if alias:
        yield alias.group(1), head
    elif TYPE.match(head):
        yield TYPE.match(head).group(1), "type"
    elif re.match(r"[^=]*\w ?\(", head):
        name = re.search(r"(\w+|operator ?[^ \w(]+) ?\(", head)
        if name:
            yield name.group(1), f"({parameter_types(head[name.start():])})"
    else:
        # `constexpr int a = 1, b[] = ...`: a name stands before '=', '[', ',' or the end
        for part in re.split(r",(?![^<(]*[>)])", head):
            name = re.search(r"(\w+)(?: ?\[[^\]]*\])*(?: ?=.*)?$", part)
            if name and " " in head and not name.group(1).isdigit():
                yield name.group(1), "constant"


def groups(root):
    """The sources that are compiled together."""
    for folder in sorted((root / "src").glob("*")) + [root / "apps" / "cli"]:
        if folder.is_dir() and folder.name not in APART:
            yield sorted(folder.rglob("*.cpp"))
    for folder in sorted((root / "tests").glob("*")):
        yield sorted(folder.glob("*_test.cpp"))


def headers_of(root, sources):
    """Every header of the project that the sources include, directly or not."""
    found, open_ends = set(), list(sources)
    while open_ends:
        for name in INCLUDE.findall(open_ends.pop().read_text(errors="replace")):
            for folder in ("include", "src", "apps", "tests"):
                path = root / folder / name
                if path not in found and path.is_file():
                    found.add(path)
                    open_ends.append(path)
    return sorted(found)


def header_names(root, path, known={}):
    """{name: place} of the types and constants of a header."""
    if path not in known:
        known[path] = {
            name: f"{path.relative_to(root)}:{line}"
            for head, line, _ in pieces(path.read_text(errors="replace"))
            for name, meaning in meanings(head)
            if meaning in ("type", "constant")
        }
    return known[path]


def may_share(one, other):
    """Overloads differ; aliases must not."""
    return one != other if one[0] == other[0] == "(" else one == other and one.startswith(("using", "namespace"))


def clashes(root):
    for sources in groups(root):
        in_headers = {}
        for path in headers_of(root, sources):
            in_headers.update(header_names(root, path))
        seen = collections.defaultdict(dict)
        for path in sources:
            for head, line, unnamed in pieces(path.read_text(errors="replace")):
                for name, meaning in meanings(head) if unnamed else ():
                    here = f"{path.relative_to(root)}:{line}"
                    if meaning in ("type", "constant") and name in in_headers:
                        yield here, name, in_headers[name]
                    for other, (first, place) in list(seen[name].items()):
                        if first != path and not may_share(meaning, other):
                            yield here, name, place
                    seen[name].setdefault(meaning, (path, here))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    if not any(groups(root)):
        print(f"{root}: no sources found: expected .cpp files in src/, apps/cli/ or tests/ below it")
        return 1
    found = list(clashes(root))
    for here, name, there in found:
        print(f"{here}: {name} is also in {there}; expected another name, or one definition for both")
    print(f"{len(found)} names that clash in unity builds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
