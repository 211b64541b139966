"""Workflows, the conda recipe and what else publishes the package say what is true of it.

`make lint` runs zizmor on the workflows besides.
"""

import re
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_bytes

import pytest
import yaml

from tests.places import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# The owner and the name of an action, or one inside its repository; its commit; its version.
PINNED = re.compile(r"uses: [\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
OWN = re.compile(r"uses: \$/\.github/workflows/(\w+\.yml)$")


def read(path):
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


@pytest.fixture(params=WORKFLOWS, ids=lambda path: path.stem)
def workflow(request):
    return request.param


def unpinned(text):
    """Every use of an action that is neither pinned to a commit nor of this repository."""
    uses = [line.strip(" -") for line in text.splitlines() if line.strip(" -").startswith("uses:")]
    assert uses or "uses:" not in text
    return [use for use in uses if not PINNED.fullmatch(use) and not OWN.fullmatch(use)]


def test_there_are_workflows():
    names = {path.stem for path in WORKFLOWS}
    assert names >= {"tests", "wheels", "release", "codeql", "scorecard"}


def test_every_action_is_pinned_to_a_commit(workflow):
    text = workflow.read_text("utf-8")
    assert unpinned(text) == []
    for name in re.findall(OWN.pattern[:-1], text):
        assert (ROOT / ".github" / "workflows" / name).exists()


@pytest.mark.parametrize("reference", ["v4", "main", "11bd719", "0" * 40])
def test_what_is_no_pin(reference):
    assert unpinned(f"steps:\n  - uses: actions/checkout@{reference}\n") != []


def test_one_commit_for_each_action():
    text = "\n".join(path.read_text("utf-8") for path in WORKFLOWS)
    commits = {}
    for action, commit in re.findall(r"uses: ([\w.-]+/[\w.-]+)\S*@([0-9a-f]{40} # \S+)", text):
        commits.setdefault(action, set()).add(commit)
    assert len(commits) >= 7
    assert {action: pins for action, pins in commits.items() if len(pins) > 1} == {}


def test_a_workflow_has_no_rights_and_its_jobs_few(workflow):
    content = yaml.safe_load(workflow.read_text("utf-8"))
    assert content["permissions"] == {}
    for name, job in content["jobs"].items():
        written = {right for right, level in job["permissions"].items() if level != "read"}
        allowed = {
            "publish": {"id-token"},
            "analyze": {"security-events"},
            "scorecard": {"id-token", "security-events"},
        }
        assert written <= allowed.get(name, set()), name


def test_no_job_keeps_credentials(workflow):
    content = yaml.safe_load(workflow.read_text("utf-8"))
    steps = [step for job in content["jobs"].values() for step in job.get("steps", [])]
    for step in steps:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
    assert "secrets." not in workflow.read_text("utf-8")


def test_the_job_that_publishes_builds_nothing():
    jobs = read(".github/workflows/release.yml")["jobs"]
    publish = jobs["publish"]
    assert publish["environment"]["name"] == "pypi"
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"
    assert jobs["build"]["needs"] == "ready"
    assert [step.get("run") for step in publish["steps"]] == [None, None]
    actions = [step["uses"].split("@")[0] for step in publish["steps"]]
    assert actions == ["actions/download-artifact", "pypa/gh-action-pypi-publish"]
    assert publish["steps"][1]["with"]["attestations"] is True
    # What it downloads is what the wheels are uploaded as.
    prefix = publish["steps"][0]["with"]["pattern"].removesuffix("*")
    wheels = read(".github/workflows/wheels.yml")["jobs"].values()
    steps = [step for job in wheels for step in job["steps"]]
    uploads = [step for step in steps if "upload-artifact@" in step.get("uses", "")]
    assert len(uploads) == 2
    assert all(step["with"]["name"].startswith(prefix) for step in uploads)


def test_updates_of_actions_and_packages_wait_a_week():
    updates = read(".github/dependabot.yml")["updates"]
    assert {update["package-ecosystem"] for update in updates} == {"github-actions", "pip"}
    assert all(update["cooldown"]["default-days"] >= 7 for update in updates)


def test_the_documentation_is_built_as_here():
    config = read(".readthedocs.yaml")
    assert config.keys() == {"version", "build", "sphinx"}
    assert config["version"] == 2
    assert config["build"].keys() == {"os", "tools", "jobs"}
    assert config["build"]["os"] == "ubuntu-24.04"
    assert config["sphinx"] == {"configuration": "docs/conf.py", "fail_on_warning": True}
    assert (ROOT / config["sphinx"]["configuration"]).exists()
    # The lock's hashes are for one version of Python, which its first line names.
    head = (ROOT / "requirements.lock").read_text("utf-8").splitlines()[0]
    assert f"Linux x86_64, Python {config['build']['tools']['python']}." in head
    install = config["build"]["jobs"]["install"]
    assert any("--require-hashes --no-deps -r requirements.lock" in line for line in install)


@pytest.fixture(scope="module")
def source_distribution(tmp_path_factory):
    """The names in the source distribution, and its metadata."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.iterdir()
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        metadata = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO").read()
    return path.name, names, message_from_bytes(metadata)


def test_the_conda_recipe_has_the_requirements_of_the_package():
    recipe = read("conda/recipe/recipe.yaml")
    spaced = [text.replace(">=", " >=") for text in PYPROJECT["project"]["dependencies"]]
    least = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    assert recipe["context"]["python_min"] == least
    assert recipe["requirements"]["run"] == ["python >=${{ python_min }}", *spaced]
    built_with = [text.replace(">=", " >=") for text in PYPROJECT["build-system"]["requires"]]
    assert recipe["requirements"]["host"] == ["python ${{ python_min }}.*", "pip", *built_with]
    scripts = [f"{name} = {target}" for name, target in PYPROJECT["project"]["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts


def test_the_conda_recipe_is_of_the_source_distribution(source_distribution):
    file, names, metadata = source_distribution
    recipe = read("conda/recipe/recipe.yaml")
    version = recipe["context"]["version"]
    assert recipe["package"] == {"name": metadata["Name"], "version": "${{ version }}"}
    assert metadata["Version"] == version
    assert recipe["source"]["url"].rpartition("/")[2].replace("${{ version }}", version) == file
    about = recipe["about"]
    assert about["license"] == metadata["License-Expression"]
    assert about["license_file"] in metadata.get_all("License-File")
    assert about["license_file"] in names
    assert about["summary"] == metadata["Summary"]
    for module in recipe["tests"][0]["python"]["imports"]:
        assert f"src/{module.replace('.', '/')}/__init__.py" in names
    required = [text for text in metadata.get_all("Requires-Dist") if "extra ==" not in text]
    assert sorted(required) == sorted(PYPROJECT["project"]["dependencies"])
    # A checksum, or the mark that it is missing.
    checksum = recipe["source"]["sha256"]
    text = (ROOT / "conda/recipe/recipe.yaml").read_text("utf-8")
    assert re.fullmatch("[0-9a-f]{64}", checksum) or f"sha256: {checksum}  # GAP:" in text


def test_the_source_distribution_has_what_these_tests_read(source_distribution):
    _, names, _ = source_distribution
    for name in (
        ".github/dependabot.yml",
        ".readthedocs.yaml",
        "CODE_OF_CONDUCT.md",
        "RELEASING.md",
        "ROADMAP.md",
        "conda/recipe/recipe.yaml",
        "paper.bib",
        "paper.md",
    ):
        assert name in names


def test_the_citation_is_of_this_package():
    citation = read("CITATION.cff")
    assert citation["version"] == re.search(
        r'__version__ = "(.+)"', (ROOT / "src/rdep/__init__.py").read_text("utf-8")
    )[1]  # fmt: skip
    assert citation["license"] == PYPROJECT["project"]["license"]


def test_the_paper_cites_what_its_bibliography_has():
    paper = (ROOT / "paper.md").read_text("utf-8")
    head, text = paper.removeprefix("---\n").split("\n---\n", 1)
    metadata = yaml.safe_load(head)
    assert metadata["bibliography"] == "paper.bib"
    assert metadata.keys() >= {"title", "tags", "authors", "affiliations", "date"}
    entries = re.findall(r"^@\w+\{(\w+),", (ROOT / "paper.bib").read_text("utf-8"), re.MULTILINE)
    assert len(entries) == len(set(entries)) > 10
    assert set(re.findall(r"@(\w+)", text)) == set(entries)
    sections = re.findall(r"^# (.+)$", text, re.MULTILINE)
    assert sections[:3] == ["Summary", "Statement of need", "State of the field"]
    assert 250 <= len(text.split()) <= 1000
