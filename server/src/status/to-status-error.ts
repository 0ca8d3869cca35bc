import { Code, ConnectError } from "@connectrpc/connect";
import { internal, unavailable } from "./status-errors.ts";

/** What the system says where no more can be written, and what is then the `storage` of STORAGE_UNAVAILABLE. */
const DISK_FAULTS: Readonly<Record<string, { readonly storage: string; readonly text: string }>> = {
  ENOSPC: { storage: "FULL", text: "has no space left" },
  EDQUOT: { storage: "FULL", text: "has no space left for it" },
  EROFS: { storage: "READ_ONLY", text: "takes no writes" },
};

/**
 * Converts anything thrown to a status error. Status errors stay as they are; an abort becomes CANCELLED; a disk that cannot be written becomes UNAVAILABLE, whatever was
 * to be written; everything else becomes INTERNAL. The original is the `cause`.
 */
export function toStatusError(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof Error && error.name === "AbortError")
    return new ConnectError("The request was cancelled.", Code.Canceled);
  const fault = diskFaultOf(error);
  if (!fault) return internal(error);
  const failure = unavailable(`A disk of the server ${fault.text}. Its log says which.`, {
    reason: "STORAGE_UNAVAILABLE",
    metadata: { storage: fault.storage },
  });
  failure.cause = error;
  return failure;
}

/** Whether only the log can say what happened, to the operator: a defect, or a disk that cannot be written. */
export function isForLog({ code, cause }: ConnectError): boolean {
  return code === Code.Internal || (code === Code.Unavailable && diskFaultOf(cause) !== undefined);
}

function diskFaultOf(error: unknown) {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && Object.hasOwn(DISK_FAULTS, code) ? DISK_FAULTS[code] : undefined;
}
