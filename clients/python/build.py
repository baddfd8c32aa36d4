"""The package as it is published: an archive of the source, and the wheel made from it.

    python clients/python/build.py [FOLDER]

needs the packages ``build`` and ``hatchling``; prints what was made.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
USUAL = ROOT / "test-output" / "clients" / "python" / "package"


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source"
    ignored = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in ("src", "examples"):
        shutil.copytree(HERE / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "REFERENCE.md"):
        shutil.copy(HERE / name, source / name)
    shutil.copy(ROOT / "LICENSE", source / "LICENSE")
    made = folder / "dist"
    # Without a kind it makes the archive, and the wheel from that.
    words = ["--no-isolation", "--outdir", str(made), str(source)]
    subprocess.run([sys.executable, "-m", "build", *words], check=True, stdout=subprocess.DEVNULL)
    for file in sorted(made.iterdir()):
        print(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else USUAL)
