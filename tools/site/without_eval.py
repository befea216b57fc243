"""Let JupyterLite run under a content security policy that forbids to make code out of text (`unsafe-eval`).

Two places in it do so, and both can be said without. One is the kernel's way of importing Pyodide: `Function("url", "return import(url)")`
is `import(url)`. The other is the checker of settings (the library Ajv), which compiles each schema into a function. In the site settings
come from its own files and from the reader's hand; what JupyterLab needs of the checker is that it fills in defaults, which `CHECKER`
does. A setting of a wrong type is then not refused.

A place that is not found as often as expected stops the build: the versions are pinned, and a new one is to be looked at.
"""

from __future__ import annotations

import re
from pathlib import Path

#: Stands for a compiled schema: fills in what has a default, into objects within objects and through references, and accepts.
CHECKER = """((root, fill) => {
  const seek = s => s && s.$ref && s.$ref[0] === "#"
    ? s.$ref.slice(2).split("/").reduce((at, key) => at && at[key], root) : s;
  const complete = (schema, data, depth) => {
    schema = seek(schema);
    if (!fill || depth > 8 || !schema || !data || typeof data !== "object" || Array.isArray(data)) return;
    for (const [key, given] of Object.entries(schema.properties || {})) {
      const inner = seek(given) || {};
      const initial = given && given.default !== undefined ? given.default : inner.default;
      if (data[key] === undefined && initial !== undefined) data[key] = structuredClone(initial);
      complete(inner, data[key], depth + 1);
    }
  };
  return schema => data => { complete(schema, data, 0); return true; };
})"""

_AJV = re.compile(
    r"Function\(`\$\{\w+\.default\.self\}`,`\$\{\w+\.default\.scope\}`,\w+\)\(this,this\.scope\.get\(\)\)"
)
_IMPORT = re.compile(r'Function\("url","return import\(url\)"\)')


def rewrite(out: Path) -> None:
    """Rewrite the scripts of a built site. Raises `ValueError` where they are not as expected."""
    checker = f"{CHECKER}(e.root.schema,this.opts.useDefaults)(e.schema)"
    _replace(sorted((out / "build").glob("*.js")), _AJV, checker, 1)
    # One in the page, and one in each of the two workers.
    kernel = out / "extensions/@jupyterlite/pyodide-kernel-extension/static"
    _replace(sorted(kernel.glob("*.js")), _IMPORT, "(url=>import(url))", 3)


def _replace(files: list[Path], old: re.Pattern[str], new: str, times: int) -> None:
    found = 0
    for file in files:
        text, count = old.subn(lambda _: new, file.read_text("utf-8"))
        if count:
            file.write_text(text, "utf-8")
            found += count
    if found != times:
        raise ValueError(
            f"{old.pattern} stands {found} times in {files[0].parent if files else 'no file'}, not {times}: "
            "JupyterLite has changed; see tools/site/without_eval.py"
        )
