import { StorageError, type StorageErrorReason } from "../errors.ts";

/** Codes of PostgreSQL (Appendix A of its manual) and of the system for a connection that was not made, or is gone. */
const CONNECTION_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // Shutdown by the administrator, after a crash, and while it starts; too many connections.
  ...["57P01", "57P02", "57P03", "53300"],
]);

/** The errors of the driver that have no code. */
const CONNECTION_MESSAGES =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|Client was closed|Query read timeout|server closed the connection/i;

/** Whether the connection is the trouble, not the statement: another connection may run it. */
export function isConnectionFault(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return CONNECTION_CODES.has(code) || code.startsWith("08");
  return error instanceof Error && CONNECTION_MESSAGES.test(error.message);
}

/** Whether the statement may succeed when it is run again: it was the victim of a deadlock, or of a concurrent change. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}

/** Where a database is, for messages: without user and password. */
export function placeOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname || "localhost"}:${port || 5432}${pathname}`;
  } catch {
    return "the database";
  }
}

/** The storage error of an error of PostgreSQL or the network, with the place in its message. A `StorageError` is returned as it is. */
export function toStorageError(error: unknown, place: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = codeOf(error) ?? "";
  const text = error instanceof Error ? error.message : String(error);
  const [reason, sentence] = sentenceFor(code, text, isConnectionFault(error));
  return new StorageError(reason, `The database '${place}' ${sentence}`, error);
}

function sentenceFor(code: string, text: string, lost: boolean): readonly [StorageErrorReason, string] {
  if (code === "53300") return ["FAILED", `has no free connection (${text}): raise max_connections, or use a pooler.`];
  if (lost) return ["FAILED", `cannot be reached (${text}): check that it runs, and FRONTDESK_DATABASE_URL.`];
  if (code === "25006" || code === "25P02")
    return ["READ_ONLY", "takes no writes: it is a standby or read-only; use the address of the primary."];
  if (code === "42501")
    return [
      "READ_ONLY",
      `refuses this user (${text}): grant it CREATE on the schema, or make it the owner of the tables.`,
    ];
  if (code.startsWith("28")) return ["FAILED", `refuses the sign-in (${text}): check user and password.`];
  if (code === "42P07")
    return ["FAILED", `has tables of another program (${text}): use a database, or a schema, that nothing is in.`];
  if (/SSL connections|certificate/i.test(text))
    return ["FAILED", `cannot be reached over TLS (${text}): check sslmode and sslrootcert of FRONTDESK_DATABASE_URL.`];
  if (code === "3D000") return ["FAILED", `does not exist (${text}): create it.`];
  if (code === "53100" || code === "53200")
    return ["FULL", `has no space left (${text}): free some; the server then continues without a restart.`];
  if (/^(22|23|42|0A|P0)/.test(code)) return ["DEFECT", `rejected a statement: ${text}.`];
  if (code === "") return ["FAILED", `does not speak as PostgreSQL does (${text}): check FRONTDESK_DATABASE_URL.`];
  return ["FAILED", `cannot be read or written: ${text}.`];
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
