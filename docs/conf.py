"""The site: what Sphinx is told. Pages made from the code are written into docs/generated before it reads anything."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

import rendering  # noqa: E402

import littlestone  # noqa: E402

project = "Littlestone"
author = "the authors of Littlestone"
version = release = littlestone.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["learners.md", "concepts.md", "environments.md", "conversions.md"]  # the site has them rendered
mathjax_path = "mathjax.js"  # copied when the site is built: pages load nothing from other hosts
mathjax3_config = {"options": {"enableMenu": False}, "svg": {"mtextInheritFont": True}}
html_theme = "furo"
html_title = "Littlestone"
html_extra_path = ["verify.html"]  # the page that verifies certificates, one file as it is
html_static_path = ["_static"]
html_css_files = ["style.css"]
highlight_language = "none"  # a block without a name is what was printed, not Python
html_copy_source = False
html_show_copyright = False
myst_heading_anchors = 3
myst_fence_as_directive = ["math"]  # written as code hosts read it too
autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"


def setup(app):
    """Write what is made from the code, and read docstrings as the plain text they are."""
    app.connect("builder-inited", lambda app: rendering.write_pages(HERE))
    app.connect("source-read", lambda app, page, source: rendering.mark_formulas(page, source))
    app.connect("build-finished", lambda app, error: error or rendering.bundle_mathjax(Path(app.outdir) / "_static"))
    app.connect(
        "autodoc-process-docstring", lambda app, what, name, obj, options, lines: rendering.convert_docstring(lines)
    )
