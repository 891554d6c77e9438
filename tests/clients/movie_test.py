#!/usr/bin/env python3
"""Our movies play elsewhere: the video element of headless Chromium and ffprobe agree on size and duration: movie_test.py LIMBER SCENES."""
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

LIMBER = str(pathlib.Path(sys.argv[1]).resolve())
SCENES = pathlib.Path(sys.argv[2])
failures = []

# The load event waits for the first frame of a video; seeking then proves that frames after it can be decoded too.
PAGE = """<!doctype html><title>waiting</title><video id="v" muted preload="auto" src="%s"></video><img id="i" src="%s"><script>
const v = document.getElementById('v'), i = document.getElementById('i');
const canvas = document.createElement('canvas'); canvas.width = 32; canvas.height = 24;
const look = () => {
  const c = canvas.getContext('2d');
  c.drawImage(v, 0, 0, 32, 24);
  return Array.from(c.getImageData(0, 0, 32, 24).data);
};
const tell = (out) => fetch('http://127.0.0.1:%d/', {method: 'POST', mode: 'no-cors', body: JSON.stringify(out)});
v.onerror = () => tell({error: v.error && v.error.message});
window.onload = async () => {
  const first = look();
  v.currentTime = v.duration * 0.37;
  await new Promise((go) => { v.onseeked = go; });
  const later = look();
  let changed = 0; for (let k = 0; k < first.length; ++k) changed += Math.abs(first[k] - later[k]) > 8;
  tell({width: v.videoWidth, height: v.videoHeight, duration: v.duration, changed,
        picture: [i.naturalWidth, i.naturalHeight], mean: first.reduce((a, b) => a + b) / first.length});
};
</script>"""


def check(condition, what):
    print(("ok      " if condition else "FAILED  ") + what)
    if not condition:
        failures.append(what)


class Listener(http.server.BaseHTTPRequestHandler):
    """Takes what the page tells."""

    told = []

    def do_POST(self):
        Listener.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def in_browser(folder, movie, picture):
    """Opens a page with both from disk and waits until it tells what it sees."""
    Listener.told.clear()
    with http.server.HTTPServer(("127.0.0.1", 0), Listener) as server:
        server.timeout = 60
        page = folder / "page.html"
        page.write_text(PAGE % (movie, picture, server.server_port))
        browser = subprocess.Popen(
            [
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--allow-file-access-from-files",
                "--disable-web-security",
                f"--user-data-dir={folder}/profile",
                page.as_uri(),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            server.handle_request()
        finally:
            browser.terminate()
            browser.wait(timeout=30)
    return Listener.told[0] if Listener.told else {"error": "Chromium told nothing within a minute"}


def main():
    for tool in ("chromium", "ffmpeg", "ffprobe"):
        if not shutil.which(tool):
            print(tool + " is not here")
            return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(temporary)
        for name in ("run.mp4", "run.webp", "run.gif"):
            done = subprocess.run(
                [
                    LIMBER,
                    "render",
                    SCENES / "jelly_cube.json",
                    "--set",
                    "duration=1",
                    "-o",
                    folder / name,
                    "--size",
                    "320x240",
                    "--speed",
                    "0.5",
                    "--fps",
                    "20",
                    "-q",
                ],
                capture_output=True,
                text=True,
            )
            check(done.returncode == 0, f"{name} is made {done.stderr}")
        facts = json.loads(
            subprocess.run(
                ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", folder / "run.mp4"],
                capture_output=True,
                text=True,
            ).stdout
        )
        stream = facts["streams"][0]
        check(
            (stream["codec_name"], stream["pix_fmt"], stream["width"], stream["height"])
            == ("h264", "yuv420p", 320, 240),
            f"ffprobe: {stream['codec_name']} {stream['pix_fmt']}",
        )
        check(abs(float(facts["format"]["duration"]) - 2.05) < 0.03, f"ffprobe: {facts['format']['duration']} s")
        for picture in ("run.webp", "run.gif"):
            seen = in_browser(folder, "run.mp4", picture)
            check("error" not in seen, f"Chromium opens the movie and {picture}: {seen}")
            if "error" in seen:
                continue
            check((seen["width"], seen["height"]) == (320, 240), f"Chromium: {seen['width']} x {seen['height']}")
            check(abs(seen["duration"] - 2.05) < 0.03, f"Chromium: {seen['duration']} s")
            check(seen["changed"] > 20, f"Chromium: {seen['changed']} values change within the movie")
            check(seen["picture"] == [320, 240], f"Chromium shows {picture}: {seen['picture']}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
