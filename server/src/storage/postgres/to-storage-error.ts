import { ConnectError } from "#status";
import { StorageError, type StorageErrorReason } from "../errors.ts";

/** Codes of PostgreSQL (Appendix A of its manual) and of the system for a connection that was not made, or is gone. */
const CONNECTION_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // Shutdown by the administrator, after a crash, and while it starts; too many connections.
  ...["57P01", "57P02", "57P03", "53300"],
]);

/** The driver's words for a statement that took longer than it may. */
export const TIMED_OUT = "Query read timeout";

/** The errors of the driver that have no code. */
const CONNECTION_MESSAGES =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|Client was closed|after calling end on the pool|Query read timeout|server closed the connection/i;

/** Whether the connection is the trouble, not the statement: another connection may run it. The sign-in counts too, since passwords rotate. */
export function isConnectionFault(error: unknown): boolean {
  // A file that a connection needs is missing: statements have no errors of this class.
  if (error instanceof StorageError) return true;
  const code = codeOf(error);
  if (code !== undefined) return CONNECTION_CODES.has(code) || /^(?:08|28)/.test(code);
  return error instanceof Error && CONNECTION_MESSAGES.test(error.message);
}

/** Whether the statement may succeed when it is run again: it was the victim of a deadlock, or of a concurrent change. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40P01" || code === "40001";
}

/** Whether the database ended a statement because it took too long. */
export function isStatementTimeout(error: unknown): boolean {
  return codeOf(error) === QUERY_CANCELED;
}

/** Whether the database takes no writes, as one does whose place another one takes: nothing was stored, and over a new connection it may soon be. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === READ_ONLY;
}

const READ_ONLY = "25006";

/** What the database ended, by itself or because it was asked to. */
const QUERY_CANCELED = "57014";

/** Where a database is, for messages: without user and password. */
export function placeOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname || "localhost"}:${port || 5432}${pathname}`;
  } catch {
    return "the database";
  }
}

/**
 * The storage error of an error of PostgreSQL or the network, with the place in its message. A `StorageError` is returned as it is, and so is that of a status error for
 * a client.
 */
export function toStorageError(error: unknown, place: string): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof ConnectError) return ofStatus(error, place);
  const code = codeOf(error) ?? "";
  const text = textOf(error);
  const [reason, sentence] = sentenceFor(code, text, isConnectionFault(error));
  return new StorageError(reason, `The database '${place}' ${sentence}`, error);
}

function ofStatus(error: ConnectError, place: string): StorageError {
  if (error.cause instanceof StorageError) return error.cause;
  return new StorageError("FAILED", `The database '${place}' was not asked: ${error.rawMessage}`);
}

/** An attempt at several addresses of a host has an error of each, and no message of its own. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "" || !(error instanceof AggregateError)) return error.message;
  return error.errors.map(textOf).join(", ");
}

type Sentence = readonly [StorageErrorReason, string];

function sentenceFor(code: string, text: string, lost: boolean): Sentence {
  if (code === "53300") return ["FAILED", `has no free connection (${text}): raise max_connections, or use a pooler.`];
  if (code.startsWith("28") || text.startsWith("SASL:")) return ["FAILED", signInSentence(text)];
  if (code === QUERY_CANCELED || text.startsWith(TIMED_OUT))
    return ["FAILED", "did not answer a statement in time: check its load, its locks, and the network to it."];
  if (lost) return ["FAILED", `cannot be reached (${text}): check that it runs, and FRONTDESK_DATABASE_URL.`];
  if (code === READ_ONLY || code === "25P02")
    return ["READ_ONLY", "takes no writes: it is a standby or read-only; use the address of the primary."];
  if (code === "42501") return ["READ_ONLY", `refuses this user (${text}): ${grantFor(text)}.`];
  if (code === "42P07")
    return ["FAILED", `has tables of another program (${text}): use a database, or a schema, that nothing is in.`];
  if (/SSL connections|certificate/i.test(text))
    return ["FAILED", `cannot be reached over TLS (${text}): check sslmode and sslrootcert of FRONTDESK_DATABASE_URL.`];
  if (code === "3D000") return ["FAILED", `does not exist (${text}): create it.`];
  if (code === "53100" || code === "53200" || FULL_MESSAGES.test(text))
    return ["FULL", `has no space left (${text}): free some; a running server then continues without a restart.`];
  if (/^(22|23|42|0A|P0)/.test(code)) return ["DEFECT", `rejected a statement: ${text}.`];
  if (code === "") return ["FAILED", `does not speak as PostgreSQL does (${text}): check FRONTDESK_DATABASE_URL.`];
  return ["FAILED", `cannot be read or written: ${text}.`];
}

/** A full disk whose code says no more than that something failed: a session begins with a file of its own. */
const FULL_MESSAGES = /could not write init file|No space left on device/i;

function signInSentence(text: string): string {
  if (/no encryption|SSL off/.test(text))
    return `refuses connections without TLS (${text}): set sslmode in FRONTDESK_DATABASE_URL, such as sslmode=verify-full.`;
  if (/password must be/.test(text))
    return "wants a password: add one to FRONTDESK_DATABASE_URL, or set FRONTDESK_DATABASE_PASSWORD_FILE.";
  return `refuses the sign-in (${text}): check user and password.`;
}

function grantFor(text: string): string {
  return /^permission denied for (?:table|sequence)/.test(text)
    ? "grant it all on the tables, or make it their owner"
    : "grant it CREATE on the schema, or make it the owner of the tables";
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
