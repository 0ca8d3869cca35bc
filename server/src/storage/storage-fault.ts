/** Why a data folder cannot be used. */
export type StorageFaultReason =
  /** Another server holds the folder. */
  | "LOCKED"
  /** The folder or file cannot be written by this user. */
  | "READ_ONLY"
  /** The disk is full. */
  | "FULL"
  /** The file is damaged, or is no database of this program. */
  | "CORRUPT"
  /** A newer release wrote the schema. */
  | "NEWER_SCHEMA"
  /** The database would not take a statement or a value: a defect of this program. */
  | "DEFECT"
  /** The disk or the writer failed in another way; `cause` has it. */
  | "FAILED";

/** A fault of the data folder, said in one sentence that names the path and, where there is one, the way out. */
export class StorageFault extends Error {
  override readonly name = "StorageFault";
  readonly reason: StorageFaultReason;

  constructor(reason: StorageFaultReason, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.reason = reason;
  }
}
