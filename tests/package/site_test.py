"""The documents build as a site, strictly, and its pages load nothing from elsewhere.

Usage: site_test.py SOURCE_DIR
"""
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--config-file", str(root / "mkdocs.yml"), "--site-dir", folder],
                   check=True)
    pages = list(pathlib.Path(folder).rglob("*.html"))
    problems = []
    for page in pages:
        text = page.read_text()
        problems += [f"{page.name} loads {found}" for found in
                     re.findall(r'<(?:script|img|iframe)[^>]+src="((?:https?:)?//[^"]+)"', text)
                     + re.findall(r'<link[^>]+rel="(?:stylesheet|icon)[^>]+href="((?:https?:)?//[^"]+)"', text)]
    for name in ("deploy/nginx.conf", "operations.html", "search/search_index.json"):
        if not (pathlib.Path(folder) / name).exists():
            problems.append(f"{name} is missing")
sys.exit("\n".join(problems) if problems else print(f"{len(pages)} pages"))
