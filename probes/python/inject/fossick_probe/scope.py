"""Which files are the user's own, and what they are called."""

import os

FOREIGN = {
    "site-packages", "dist-packages", "node_modules", "__pycache__", ".git", ".tox", ".nox", ".venv", "venv", "virtualenv",
}  # fmt: skip
TESTS = {"tests", "test", "testing"}
PROBE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Scope:
    """The folders, files and packages that were named."""

    def __init__(self, words):
        paths = [os.path.abspath(word) for word in words if is_path(word)]
        self.folders = [real(path) for path in paths if not os.path.isfile(path)]
        self.files = {real(path) for path in paths if os.path.isfile(path)}
        self.packages = {word for word in words if not is_path(word)}
        self.package_folders = {}
        self.names = {}
        self.environments = {}

    def owns(self, module, path):
        """Whether a module, or a program if it has no name, is the user's own."""
        path = real(path)
        if is_below(path, PROBE):
            return False
        if path in self.files:
            return True
        if any(self.holds(folder, path) for folder in self.folders):
            return True
        return self.owns_package(module, path)

    def owns_package(self, module, path):
        top = next((word for word in self.packages if is_within(module, word)), None)
        if top is None:
            return False
        depth = module.count(".") - top.count(".")
        is_package = os.path.basename(path) == "__init__.py"
        folder = path
        for _ in range(depth + is_package):
            folder = os.path.dirname(folder)
        self.package_folders.setdefault(top, folder if depth or is_package else path)
        return module == top or not is_accident(path[len(folder) :])

    def holds(self, folder, path):
        return (
            is_below(path, folder)
            and not is_accident(path[len(folder.rstrip(os.sep)) :])
            and not self.is_in_environment(folder, os.path.dirname(path))
        )

    def is_in_environment(self, top, folder):
        """Whether there is a virtual environment between the two."""
        while len(folder) > len(top):
            found = self.environments.get(folder)
            if found is None:
                found = os.path.exists(os.path.join(folder, "pyvenv.cfg"))
                self.environments[folder] = found
            if found:
                return True
            folder = os.path.dirname(folder)
        return False

    def roots(self):
        """Folders that file names are relative to."""
        named = self.folders + sorted(self.files) + sorted(self.package_folders.values())
        roots = [root_of(path) for path in named]
        return sorted(set(roots), key=roots.index)

    def name(self, path):
        """The file's name below the innermost root that holds it; no two files have the same."""
        path = real(path)
        roots = [root for root in self.roots() if is_below(path, root)]
        root = max(roots, key=len, default=os.path.dirname(path))
        name = os.path.relpath(path, root).replace(os.sep, "/")
        while self.names.setdefault(name, path) != path:
            root = os.path.dirname(root)
            name = os.path.relpath(path, root).replace(os.sep, "/")
        return name


def is_path(word):
    return os.sep in word or word.endswith(".py") or word == "."


def is_within(module, package):
    return module is not None and (module == package or module.startswith(package + "."))


def real(path):
    return os.path.realpath(path)


def is_below(path, folder):
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def is_accident(rest):
    """Whether a path below what was named is there by accident."""
    *folders, file = rest.strip(os.sep).split(os.sep)
    if any(folder in FOREIGN or folder in TESTS for folder in folders):
        return True
    return (
        file.startswith("test_") or file.endswith("_test.py") or file in ("conftest.py", "setup.py")
    )


def root_of(path):
    """A package is named with its own name, another folder is not."""
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder
