/** A display name as a folder name: every character outside `A–Z a–z 0–9 _ -` becomes one `_` (PKG-6). */
export function fileSafeName(displayName: string): string {
  return displayName.replace(/[^A-Za-z0-9_-]/gu, "_");
}

/**
 * Folder names for the display names of one kind, in the same order. What the hosted product does when two names collapse
 * into one is unknown (PKG-7); here the later ones get `_2`, `_3`, … so that no file is written twice.
 */
export function folderNames(displayNames: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return displayNames.map((displayName) => {
    const base = fileSafeName(displayName) || "_";
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    taken.add(name);
    return name;
  });
}
