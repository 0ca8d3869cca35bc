// Which packages of the lock file a part of the workspaces needs to run.

/**
 * Paths of installed packages (`node_modules/…`) that these workspaces depend on, without what they need for development. `packages` are
 * those of package-lock.json. `""` is the root.
 */
export function neededPackages(packages, workspaces) {
  const found = new Set();
  const open = [...workspaces];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const { link, resolved } = packages[path];
    if (link) open.push(resolved);
    for (const name of namesOf(packages[path])) {
      const installed = placeOf(packages, path, name);
      if (installed) open.push(installed);
    }
  }
  return [...found].filter((path) => path.includes("node_modules/"));
}

function namesOf({ dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Where Node finds a package from the place of another one: there, or in the folders above. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folderAbove(folder)) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === "") return undefined;
  }
}

/** `a/node_modules/b` is in `a`; `node_modules/a` and the workspace `a` are in the root. */
function folderAbove(folder) {
  const at = folder.lastIndexOf("node_modules/");
  return at <= 0 ? "" : folder.slice(0, at - 1);
}
