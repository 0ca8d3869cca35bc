/** What cannot be done where a call of the system fails. */
const DONE_BY: Readonly<Record<string, string>> = {
  open: "open",
  read: "read",
  scandir: "read",
  opendir: "read",
  readlink: "read",
  lstat: "read",
  stat: "read",
  access: "read",
  write: "write",
  fsync: "write",
  copyfile: "copy",
  mkdir: "make",
  mkdtemp: "make",
  rename: "rename",
  rm: "delete",
  rmdir: "delete",
  unlink: "delete",
};

/** An error of a file as a sentence, e.g. `cannot open app.json: permission denied.`; undefined for any other error. */
export function fileErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall = "", path } = error as NodeJS.ErrnoException;
  const reason = fileErrorReason(error);
  const verb = DONE_BY[syscall];
  if (reason === undefined || verb === undefined) return undefined;
  return `cannot ${[verb, path].filter(Boolean).join(" ")}: ${reason}.`;
}

/** What the system says of it alone, e.g. `permission denied`; undefined for any other error. */
export function fileErrorReason({ message }: Error): string | undefined {
  return /^E[A-Z0-9]+: (.+?), \w+/.exec(message)?.[1];
}
