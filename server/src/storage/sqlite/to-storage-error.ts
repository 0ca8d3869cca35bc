import { thrownMessage } from "#base";
import { StorageError } from "../errors.ts";

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
export const SQLITE_BUSY = 5;
const SQLITE_ERROR = 1;
const SQLITE_PERM = 3;
const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_TOOBIG = 18;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_NOTADB = 26;

/** Whether SQLite failed with this primary code, in any of its extended forms. */
export function hasResultCode(error: unknown, code: number): boolean {
  return resultCode(error) === code;
}

/** The storage error of an error of SQLite or the file system, with the path in its message. A `StorageError` is returned as it is. */
export function toStorageError(error: unknown, path: string): StorageError {
  if (error instanceof StorageError) return error;
  const text = thrownMessage(error);
  switch (resultCode(error) ?? systemCode(error)) {
    case SQLITE_PERM:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new StorageError(
        "READ_ONLY",
        `'${path}' cannot be written by this user: give it write permission, or choose another data folder.`,
        error,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new StorageError(
        "FAILED",
        `'${path}' cannot be the data folder, since a file is in its place: choose another.`,
        error,
      );
    case SQLITE_FULL:
    case "ENOSPC":
    case "EDQUOT":
      return new StorageError(
        "FULL",
        `The disk that holds '${path}' is full: free some space; a running server then continues without a restart.`,
        error,
      );
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new StorageError(
        "CORRUPT",
        `'${path}' is damaged or is no database of this program (${text}): restore it from a backup, or move it away to start empty.`,
        error,
      );
    case SQLITE_ERROR:
    case SQLITE_TOOBIG:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case "ERR_INVALID_ARG_TYPE":
      return new StorageError("DEFECT", `The database '${path}' rejected a statement: ${text}.`, error);
    default:
      return new StorageError("FAILED", `The data in '${path}' cannot be read or written: ${text}.`, error);
  }
}

function resultCode(error: unknown): number | undefined {
  // The low byte of an extended code is the primary one.
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : undefined;
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
