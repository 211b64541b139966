import importlib.util
import subprocess
import sys

import pytest

from .pages import DOCS

SCRIPT = DOCS / "check_links.py"


@pytest.fixture(scope="module")
def broken_links():
    spec = importlib.util.spec_from_file_location("check_links", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.broken_links


def site(folder, **pages):
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<html><body>{body}</body></html>")
    return folder


def test_good_links(tmp_path, broken_links):
    (tmp_path / "sub").mkdir()
    site(
        tmp_path,
        index='<h1 id="here">x</h1><a href="#here">a</a><a href="other.html#there">b</a>'
        '<a href="https://example.org/nowhere">c</a><a href="mailto:a@b">d</a>'
        '<a href="sub/">e</a><img src="a%20b.png" srcset="a%20b.png, a%20b.png 2x">',
        other='<p id="there"></p><a href="index.html">a</a><a href="#">top</a>',
    )
    (tmp_path / "sub" / "index.html").write_text('<a href="../index.html#here">up</a>')
    (tmp_path / "a b.png").write_bytes(b"")
    assert broken_links(tmp_path) == []


@pytest.mark.parametrize(
    ("link", "trouble"),
    [
        ('<a href="gone.html">', "no such file"),
        ('<img src="gone.png">', "no such file"),
        ('<img srcset="index.html, gone.png 2x">', "no such file"),
        ('<a href="../outside.html">', "no such file"),
        ('<a href="#gone">', "no such anchor"),
        ('<a href="index.html#gone">', "no such anchor"),
        ('<script src="/gone.js"></script>', "no such file"),
    ],
)
def test_broken_links(tmp_path, broken_links, link, trouble):
    (tmp_path / "outside.html").write_text("")
    folder = tmp_path / "site"
    folder.mkdir()
    (found,) = broken_links(site(folder, index=link))
    assert found.startswith("index.html: ")
    assert found.endswith(trouble)


def run(folder):
    return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)


def test_the_script_fails_on_broken_links_and_on_an_empty_folder(tmp_path):
    empty = run(tmp_path)
    assert empty.returncode == 1
    assert "build the site first" in empty.stderr
    site(tmp_path, index='<a href="gone.html">')
    broken = run(tmp_path)
    assert broken.returncode == 1
    assert "index.html: gone.html: no such file" in broken.stderr
    site(tmp_path, index="")
    assert run(tmp_path).returncode == 0
