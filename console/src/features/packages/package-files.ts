/** A file with its path in the folder that was given. */
export interface PackageFile {
  readonly path: string;
  readonly file: File;
}

/** The files of a drop: folders are walked, entries that lead out of them do not exist in a browser. */
export async function filesFromDrop(items: DataTransferItemList): Promise<readonly PackageFile[]> {
  // The list is emptied when the event handler returns, so its items are read first.
  const entries = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    entries.map(({ entry, file }) => (entry ? filesOf(entry) : file ? [{ path: file.name, file }] : [])),
  );
  return found.flat();
}

/** The files of a file or folder field. */
export function filesFromInput(files: Iterable<File>): readonly PackageFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function filesOf(entry: FileSystemEntry): Promise<readonly PackageFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ""), file }];
  }
  if (!isFolder(entry)) return [];
  const children = await readAll(entry.createReader());
  return (await Promise.all(children.map(filesOf))).flat();
}

/** A reader returns at most 100 entries a call, and an empty list at the end. */
async function readAll(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
