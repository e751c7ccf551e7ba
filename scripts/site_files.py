"""Hook of mkdocs: what the documents link outside docs/ (../deploy/nginx.conf) becomes part of the site, as it is."""
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUTSIDE = re.compile(r"\]\(\.\./([^)#]+)\)")


def outside_files():
    found = set()
    for page in (ROOT / "docs").glob("*.md"):
        found.update(OUTSIDE.findall(page.read_text()))
    return sorted(found)


def on_files(files, config):
    for file in list(files):
        if file.src_path.endswith((".awk", "Doxyfile")):
            files.remove(file)
    for path in outside_files():
        files.append(File(path, str(ROOT), config["site_dir"], use_directory_urls=False))
    return files


def on_page_markdown(markdown, **_):
    return OUTSIDE.sub(lambda found: f"]({found[1]})", markdown)
