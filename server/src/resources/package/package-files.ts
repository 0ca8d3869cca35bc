/** A file of a package: its path with `/` as separator, relative to the zip or folder of the package, and its bytes. */
export interface PackageFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files of an app by their path in the app's folder, in the order of the archive. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file, unchanged to the last byte; undefined when it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();

/** A file with a text. */
export function textFile(path: string, text: string): PackageFile {
  return { path, bytes: encoder.encode(text) };
}
