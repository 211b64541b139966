"""How the documentation is built: ``make docs``."""

import inspect
import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import api_pages  # noqa: E402

import rdep  # noqa: E402

api_pages.write(HERE / "api")

project = "rdep"
author = "The rdep developers"
copyright = author  # noqa: A001, the name that Sphinx reads
release = version = rdep.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "committed",  # docs/committed.py
    "drawn",  # docs/drawn.py
    "mathml",  # docs/mathml.py
]
exclude_patterns = ["api/backreferences/*"]

nitpicky = True
# Without the network there is no inventory of other projects to link to.
nitpick_ignore_regex = [("py:.*", r"(sklearn|skimage|numpy|scipy|matplotlib|pandas)\..*")]

html_theme = "pydata_sphinx_theme"
html_title = "rdep"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["rdep.css"]
html_show_sourcelink = False
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
}
# Pages of one level have nothing to show beside them.
html_sidebars = {
    name: [] for name in ("index", "quickstart", "tutorial", "deployment", "changelog")
}

toc_object_entries_show_parents = "hide"
# Pages of the layers need no PyTorch.
autodoc_mock_imports = [] if find_spec("torch") else ["torch"]
autodoc_typehints = "none"  # numpydoc sections have them in words
autosummary_generate = True
numpydoc_show_class_members = False  # the templates list them
numpydoc_class_members_toctree = False
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

sphinx_gallery_conf = {
    "examples_dirs": str(ROOT / "examples"),
    "gallery_dirs": "auto_examples",
    # The example of networks is shown without being run, if PyTorch is not installed.
    "filename_pattern": r"plot_" if find_spec("torch") else r"plot_(?!network)",
    "ignore_pattern": r"(worked_examples|serve_onnx)",  # programs, not pages
    "backreferences_dir": "api/backreferences",
    "doc_module": ("rdep",),
    "within_subsection_order": "FileNameSortKey",
    "plot_gallery": "True",
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "capture_repr": ("_repr_html_", "__repr__"),
}


def skip_inherited_from_others(app, what, name, member, skip, options):
    """scikit-learn documents what its base classes bring."""
    module = getattr(member, "__module__", None)
    return skip or not (module is None or module.startswith("rdep"))


def signature_of_layers(app, what, name, obj, options, signature, return_annotation):
    """A mocked base class hides the parameters of its subclasses."""
    if what == "class" and name.startswith("rdep.networks.layers.") and autodoc_mock_imports:
        parameters = list(inspect.signature(obj.__init__).parameters.values())[1:]
        bare = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
        return str(inspect.Signature(bare)), return_annotation
    return None


def setup(app) -> None:
    app.connect("autodoc-process-signature", signature_of_layers)
    app.connect("autodoc-skip-member", skip_inherited_from_others)
