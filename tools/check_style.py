#!/usr/bin/env python3
"""Lengths that do not merge: a file over 800 lines, a function over 80. The aim is half of that.

    check_style.py [ROOT] [--report]     exit code 1 when something is too long; --report lists what passes the aim

Functions are found by their braces: a body is a '{' at namespace or class level whose head ends like a function's. That is a
heuristic, good enough to notice length. A lambda counts as part of the function around it.
"""
import pathlib
import re
import sys

MAX_FILE, MAX_FUNCTION = 800, 80
AIM_FILE, AIM_FUNCTION = 400, 40
FOLDERS = ("include", "src", "apps", "tests", "bench", "runtime", "tools", "examples")
CXX = (".hpp", ".cpp", ".h", ".c", ".inl")
SCRIPTS = (".py", ".sh", ".cmake", ".js")
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\\\s]{0,16})\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\'',
    re.S,
)
TYPE_HEAD = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")


def blanked(text):
    """The text with comments and literals emptied, line numbers kept."""
    text = TOKEN.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    return re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def is_function(head):
    """Does the text between the last ';', '{' or '}' and a '{' announce a function body?"""
    head = head.strip()
    if ")" not in head or re.search(r"\b(if|for|while|switch|catch|do|else)\b\s*(constexpr\s*)?\(", head):
        return False
    if TYPE_HEAD.search(head.split("(")[0]) and not re.match(r"(struct|class|enum)\s+\w+\s+\w+\s*\(", head):
        return False
    return not re.search(r"=\s*$", head)


def functions(text):
    """(name, first line, line count) of every function body that is not inside another."""
    text = blanked(text)
    depth_of_body, depth, head_start, start = None, 0, 0, 0
    for place, char in enumerate(text):
        if char == "{":
            if depth_of_body is None and is_function(text[head_start:place]):
                depth_of_body = depth
                lead = len(text[head_start:place]) - len(text[head_start:place].lstrip())
                start = head_start + lead
            depth += 1
        elif char == "}":
            depth -= 1
            if depth_of_body == depth:
                first, last = text.count("\n", 0, start) + 1, text.count("\n", 0, place) + 1
                yield name_in(text[start:place]), first, last - first + 1
                depth_of_body = None
        if char in "{};" and depth_of_body is None:
            head_start = place + 1


def name_in(head):
    test = re.match(r"TEST(?:_[FP])?\s*\(\s*(\w+)\s*,\s*(\w+)", head)
    if test:
        return ".".join(test.groups())
    found = re.search(r"([\w:~]+|operator\s*\S+)\s*\(", head)
    return found.group(1) if found else "?"


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in CXX + SCRIPTS and path.is_file():
                yield path


def lengths(root):
    """(place, what, length, aim, limit) of every file and function."""
    for path in files(root):
        text = path.read_text(errors="replace")
        place = str(path.relative_to(root))
        yield f"{place}:1", "file", text.count("\n"), AIM_FILE, MAX_FILE
        if path.suffix in CXX:
            for name, line, length in functions(text):
                yield f"{place}:{line}", f"function {name}", length, AIM_FUNCTION, MAX_FUNCTION


def main():
    arguments = [a for a in sys.argv[1:] if a != "--report"]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    found = list(lengths(root))
    if not found:
        print(f"{root}: no sources found: expected one of {', '.join(FOLDERS)} below it")
        return 1
    too_long = 0
    for place, what, length, aim, limit in found:
        if length > limit:
            too_long += 1
            print(f"{place}: {what} has {length} lines, expected at most {limit}")
        elif length > aim and "--report" in sys.argv:
            print(f"{place}: {what} has {length} lines, the aim is {aim}")
    print(f"{too_long} too long of {len(found)} files and functions")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
