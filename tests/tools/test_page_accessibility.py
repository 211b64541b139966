"""Violations are counted in both colour schemes and widths; a stand-in reports pages without h1."""

from tools import page_accessibility

PAGE = """<!doctype html><html lang="en"><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<style>@media (prefers-color-scheme: dark) {{ body {{ margin: 3px; }} }}</style></head>
<body>{}</body></html>"""
AXE = """window.axe = { run: async (root, { runOnly }) => {
  const id = `no-heading-${getComputedStyle(root.body).marginTop}-${innerWidth}`;
  const isGood = runOnly.values.includes("wcag2aa") && root.querySelector("h1");
  return { violations: isGood ? [] : [{ id, nodes: [] }] };
} };"""


def test_violations_are_counted_and_printed(tmp_path, capsys):
    (tmp_path / "axe.min.js").write_text(AXE, "utf-8")
    (tmp_path / "good.html").write_text(PAGE.format("<h1>Title</h1>"), "utf-8")
    (tmp_path / "bad.html").write_text(PAGE.format("text"), "utf-8")
    paths = [str(tmp_path / name) for name in ("axe.min.js", "good.html", "bad.html")]
    assert page_accessibility.main(paths) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "good, light, 1200 px: none",
        'bad, light, 1200 px: [["no-heading-8px-1200", []]]',
        "good, dark, 400 px: none",
        'bad, dark, 400 px: [["no-heading-3px-400", []]]',
    ]
