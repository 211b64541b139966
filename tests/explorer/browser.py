"""Pages in Chromium, driven by scripts from outside: the pages themselves stay as they are."""

import json
import re
import shutil
import subprocess
from html import unescape

from ..needs import cannot_run

NAMES = ("chromium", "chromium-browser", "google-chrome")
# One frame after the other; the result of each, or its error, is left in the document.
FRAMES = """<!doctype html><meta charset="utf-8"><body><script>
const drive = async (window, document, explorer) => { SCRIPT };
const next = async (names) => {
  for (const name of names) {
    const frame = document.createElement("iframe");
    frame.width = WIDTH; frame.height = 900;
    const loaded = new Promise((done) => frame.addEventListener("load", done));
    frame.src = `${name}.html`;
    document.body.append(frame);
    await loaded;
    const seen = document.createElement("pre");
    seen.id = `seen-${name}`;
    let result;
    try {
      const inner = frame.contentWindow;
      result = { result: await drive(inner, inner.document, inner.explorer),
        resources: inner.performance.getEntriesByType("resource").map((entry) => entry.name) };
    } catch (error) { result = { error: String(error), stack: error.stack }; }
    seen.textContent = JSON.stringify(result);
    frame.remove();
    document.body.append(seen);
  }
};
next(ALL);
</script></body>"""


def chromium():
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        cannot_run(f"none of {', '.join(NAMES)} is installed: install one")
    return found


def driven(pages, script, folder, *, width=1200, milliseconds=20_000):
    """Result of the script in each page; it sees window, document and the page's explorer."""
    browser = chromium()
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, "utf-8")
    frames = FRAMES.replace("SCRIPT", script).replace("WIDTH", str(width))
    outer = folder / "frames.html"
    outer.write_text(frames.replace("ALL", json.dumps(list(pages))), "utf-8")
    done = subprocess.run(
        [
            browser,
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--allow-file-access-from-files", f"--user-data-dir={folder / 'profile'}"),
            *("--enable-logging=stderr", f"--virtual-time-budget={milliseconds}"),
            *("--dump-dom", outer.as_uri()),
        ],
        capture_output=True,
        timeout=600,
        check=True,
    )
    # Errors of scripts, and requests that the policy refuses, are written to the console.
    told = [line for line in done.stderr.decode("utf-8").splitlines() if "CONSOLE" in line]
    assert not told, told
    found = dict(
        re.findall(r'<pre id="seen-(.*?)">(.*?)</pre>', done.stdout.decode("utf-8"), re.DOTALL)
    )
    assert found.keys() == pages.keys()
    results = {name: json.loads(unescape(text)) for name, text in found.items()}
    for name, seen in results.items():
        assert "error" not in seen, (name, seen)
        assert seen["resources"] == [], name
    return {name: seen["result"] for name, seen in results.items()}
