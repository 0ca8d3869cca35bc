/**
 * A conditional write found another etag than `ifEtag` (or a row where none, or none where one was expected). Nothing of the
 * write was stored. The caller maps it to ABORTED, NOT_FOUND or ALREADY_EXISTS, since only it knows the request.
 */
export class StaleEtagError extends Error {
  override readonly name = "StaleEtagError";
  /** Resource name of the row whose condition failed. */
  readonly resource: string;

  constructor(resource: string) {
    super(`The stored etag of '${resource}' is not the expected one.`);
    this.resource = resource;
  }
}

/** Why a data folder or database cannot be used. */
export type StorageErrorReason =
  /** Another server has locked the folder. */
  | "LOCKED"
  /** This user cannot write the folder or file. */
  | "READ_ONLY"
  /** The disk is full. */
  | "FULL"
  /** The file is damaged, or is no database of this program. */
  | "CORRUPT"
  /** A newer release wrote the schema. */
  | "NEWER_SCHEMA"
  /** An older release wrote the schema, and the configuration does not let this one migrate it. */
  | "OLDER_SCHEMA"
  /** The clock of this machine and that of the database differ too much. */
  | "CLOCK"
  /** The database rejected a statement or a value: a defect of this program. */
  | "DEFECT"
  /** The disk or the writer failed in another way; `cause` has it. */
  | "FAILED";

/** An error of the data folder or database. The message is for the operator: one sentence with the place and, where there is one, the remedy. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly reason: StorageErrorReason;

  constructor(reason: StorageErrorReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
