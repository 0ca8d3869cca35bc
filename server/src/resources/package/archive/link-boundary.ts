import { lstat, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, relative, sep } from "node:path";
import { ifThere } from "#base";

/**
 * The folder inside of which links of a package are followed: the git repository that has the package, else the package's own folder. Whoever wrote the
 * package wrote that repository too, so a link shows nothing that its author did not have; one that leads further could show any file of
 * whoever packs it. A repository that holds the home folder, or whose owner is not that of the package, does not count. `folder` is a real path.
 */
export async function linkBoundary(folder: string): Promise<string> {
  const { uid } = await stat(folder);
  const home = await realpath(homedir()).catch(homedir);
  for (let at = folder; at !== dirname(at) && !isBelow(home, at); at = dirname(at)) {
    const git = await ifThere(lstat(`${at}${sep}.git`));
    if (git) return git.uid === uid ? at : folder;
  }
  return folder;
}

/**
 * Whether a link may lead to this real path: it lies in the boundary, and no part of its path in there is hidden, because `.git` and `.env` hold secrets of
 * who has a copy of a repository.
 */
export function isWithin(boundary: string, path: string): boolean {
  return (
    isBelow(path, boundary) &&
    !relative(boundary, path)
      .split(sep)
      .some((part) => part.startsWith("."))
  );
}

/** Whether a path is a folder or below it. */
function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
