/**
 * Why an entry's name cannot be a path inside a package, or undefined when it can. Whatever a naive extractor could be
 * tricked with is refused, although this server writes no entry to a disk: the folder commands do.
 */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "has no name";
  if (path.includes("\0")) return "has a NUL character in its name";
  if (path.includes("\\")) return "has a backslash in its name; parts are separated by '/'";
  if (path.startsWith("/")) return "is an absolute path";
  if (/^[A-Za-z]:/.test(path)) return "starts with a drive letter";
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.some((part) => part === "..")) return "climbs out of the package with '..'";
  if (parts.some((part) => part === "" || part === ".")) return "has an empty or '.' part in its name";
  return undefined;
}
