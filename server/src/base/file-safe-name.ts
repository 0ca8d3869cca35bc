/** A display name as the folder of its package has it: every character outside `A–Z a–z 0–9 _ -` becomes one `_` (PKG-6). */
export function fileSafeName(displayName: string): string {
  return displayName.replace(/[^A-Za-z0-9_-]/gu, "_");
}
