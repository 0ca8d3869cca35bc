import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  ResourceInfoSchema,
  RetryInfoSchema,
} from "@frontdesk/protos/google/rpc/error_details";

/** One invalid field of a request: its path in the request message, and what is wrong and how to fix it. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** A machine-readable reason, UPPER_SNAKE_CASE, with the metadata that a program needs to react. */
export interface ErrorReason {
  readonly reason: string;
  /** Whose reason it is. Default this server's. */
  readonly domain?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Milliseconds after which the same request may succeed, as `RetryInfo`. Default: the error does not say. */
  readonly retryMs?: number;
}

const DOMAIN = "frontdesk";

/** Violations of one error that are told, and characters of each (WIRE-26): a client can be wrong a hundred thousand times in one request. */
const MAX_VIOLATIONS = 1_000;
const MAX_TEXT = 2_000;

/**
 * INVALID_ARGUMENT with every violation at once (AIP-193), a thousand at most and then how many more there are. The message repeats them
 * for clients that show only text.
 */
export function invalidArgument(violations: FieldViolation | readonly FieldViolation[]): ConnectError {
  const all = Array.isArray(violations) ? (violations as readonly FieldViolation[]) : [violations as FieldViolation];
  const more = { field: "", description: `There are ${all.length - MAX_VIOLATIONS} more violations.` };
  const listed = all.length > MAX_VIOLATIONS ? [...all.slice(0, MAX_VIOLATIONS), more] : all;
  const list = listed.map(({ field, description }) => ({
    field: shortened(field),
    description: shortened(description),
  }));
  const sentences = list.map(({ field, description }) => (field ? `${field}: ${description}` : description));
  // One sentence: only its last part may have a full stop.
  const text = sentences.map((one, at) => (at < list.length - 1 ? one.replace(/\.$/, "") : one)).join("; ");
  const detail = create(BadRequestSchema, { fieldViolations: list });
  return new ConnectError(text, Code.InvalidArgument, undefined, [{ desc: BadRequestSchema, value: detail }]);
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** The violations of an INVALID_ARGUMENT; none for any other error. */
export function fieldViolationsOf(error: unknown): readonly FieldViolation[] {
  if (!(error instanceof ConnectError) || error.code !== Code.InvalidArgument) return [];
  return error.findDetails(BadRequestSchema).flatMap(({ fieldViolations }) => fieldViolations);
}

/** NOT_FOUND for a resource name, with `ResourceInfo`. `type` is the resource type, e.g. `ces.googleapis.com/Agent`. */
export function notFound(name: string, type = ""): ConnectError {
  return aboutResource(Code.NotFound, `Resource '${shortened(name)}' was not found.`, shortened(name), type);
}

/** ALREADY_EXISTS for a resource name. */
export function alreadyExists(name: string, type = ""): ConnectError {
  return aboutResource(Code.AlreadyExists, `Resource '${shortened(name)}' already exists.`, shortened(name), type);
}

/** FAILED_PRECONDITION: the request is valid, the state of the system is not the right one. The message names what to change. */
export function failedPrecondition(message: string, info?: ErrorReason): ConnectError {
  return withReason(Code.FailedPrecondition, message, info);
}

/** ABORTED: a concurrent change (a stale etag, a turn of the same session). The client reads again and retries. */
export function aborted(message: string, info?: ErrorReason): ConnectError {
  return withReason(Code.Aborted, message, info);
}

/** RESOURCE_EXHAUSTED: a limit was reached. The message names the limit and its value. */
export function resourceExhausted(message: string, info?: ErrorReason): ConnectError {
  return withReason(Code.ResourceExhausted, message, info);
}

/** A quota that is used up. */
interface QuotaViolation {
  /** Name of the quota: `turns-per-app`. */
  readonly quota: string;
  /** Whose quota it is: `serviceAccount:ci@…`, an app, a project. */
  readonly subject: string;
  /** Milliseconds after which the same request may succeed. */
  readonly retryMs: number;
}

/** RESOURCE_EXHAUSTED for a quota, with `ErrorInfo`, `QuotaFailure` and, because it passes by itself, `RetryInfo`. */
export function quotaExceeded(message: string, { quota, subject, retryMs }: QuotaViolation): ConnectError {
  const error = withReason(Code.ResourceExhausted, message, {
    reason: "RATE_LIMIT_EXCEEDED",
    metadata: { quota, subject },
  });
  const failure = create(QuotaFailureSchema, { violations: [{ subject, description: message }] });
  error.details.push({ desc: QuotaFailureSchema, value: failure }, retryInfo(retryMs));
  return error;
}

function retryInfo(retryMs: number) {
  const retryDelay = { seconds: BigInt(Math.floor(retryMs / 1_000)), nanos: (retryMs % 1_000) * 1_000_000 };
  return { desc: RetryInfoSchema, value: create(RetryInfoSchema, { retryDelay }) };
}

/** Whole seconds after which a refused request may succeed (RFC 9110, 10.2.3); undefined when the error does not say it. */
export function retryAfterOf(error: ConnectError): number | undefined {
  const retryMs = retryMsOf(error);
  return retryMs === undefined ? undefined : Math.ceil(retryMs / 1_000);
}

/** Milliseconds after which a refused request may succeed; undefined when the error does not say it. */
export function retryMsOf(error: ConnectError): number | undefined {
  const [retry] = error.findDetails(RetryInfoSchema);
  return retry?.retryDelay && Number(retry.retryDelay.seconds) * 1_000 + retry.retryDelay.nanos / 1_000_000;
}

/** `ErrorInfo.reason` of an error; undefined for one without. */
export function reasonOf(error: ConnectError): string | undefined {
  return error.findDetails(ErrorInfoSchema)[0]?.reason;
}

/** PERMISSION_DENIED. `challenge`: the `WWW-Authenticate` header for a client that can get a better token. Default none. */
export function permissionDenied(message: string, info?: ErrorReason, challenge?: string): ConnectError {
  const error = withReason(Code.PermissionDenied, message, info);
  if (challenge !== undefined) error.metadata.set(WWW_AUTHENTICATE, challenge);
  return error;
}

/**
 * UNAUTHENTICATED. `challenge` is the `WWW-Authenticate` header that HTTP responses have (RFC 9110, 11.6.1) and gRPC responses have as
 * metadata. Default: a bearer token is missing.
 */
export function unauthenticated(message: string, info?: ErrorReason, challenge = CHALLENGE): ConnectError {
  const error = withReason(Code.Unauthenticated, message, info);
  error.metadata.set(WWW_AUTHENTICATE, challenge);
  return error;
}

const WWW_AUTHENTICATE = "www-authenticate";

const CHALLENGE = 'Bearer realm="frontdesk"';

/** How a caller can sign in, or get a better token; undefined for other errors. */
export function challengeOf(error: ConnectError): string | undefined {
  return error.metadata.get(WWW_AUTHENTICATE) ?? undefined;
}

/** Milliseconds after which a client tries again what is unavailable, where nobody knows better. */
const RETRY_MS = 1_000;

/**
 * UNAVAILABLE: something that this server depends on does not respond; the same request may succeed later. It always says when (WIRE-42):
 * after a second unless `info` knows better.
 */
export function unavailable(message: string, info?: ErrorReason): ConnectError {
  const error = withReason(Code.Unavailable, message, info);
  if (info?.retryMs === undefined) error.details.push(retryInfo(RETRY_MS));
  return error;
}

/** DEADLINE_EXCEEDED: the client's deadline or the server's time limit passed. */
export function deadlineExceeded(message: string): ConnectError {
  return new ConnectError(message, Code.DeadlineExceeded);
}

/** CANCELLED: the caller disconnected or cancelled the call. */
export function cancelled(message: string): ConnectError {
  return new ConnectError(message, Code.Canceled);
}

/** UNIMPLEMENTED for a method, by its full name. */
export function unimplemented(method: string): ConnectError {
  return withReason(Code.Unimplemented, `Method ${method} is not implemented by this server.`, {
    reason: "METHOD_NOT_IMPLEMENTED",
    metadata: { method },
  });
}

/** UNIMPLEMENTED for something that a served method does not do here. The message says what is missing, and what to use instead. */
export function unsupported(message: string): ConnectError {
  return withReason(Code.Unimplemented, message, { reason: "NOT_SUPPORTED" });
}

/** INTERNAL: a fault of this server. `cause` goes to the log, never to the client. */
export function internal(cause: unknown): ConnectError {
  return new ConnectError(
    "Internal error. The server's log has the details.",
    Code.Internal,
    undefined,
    undefined,
    cause,
  );
}

function withReason(code: Code, message: string, info?: ErrorReason): ConnectError {
  if (!info) return new ConnectError(message, code);
  const { reason, domain = DOMAIN, metadata, retryMs } = info;
  const detail = create(ErrorInfoSchema, { domain, reason, metadata: { ...metadata } });
  const error = new ConnectError(message, code, undefined, [{ desc: ErrorInfoSchema, value: detail }]);
  if (retryMs !== undefined) error.details.push(retryInfo(retryMs));
  return error;
}

function aboutResource(code: Code, message: string, name: string, type: string): ConnectError {
  const detail = create(ResourceInfoSchema, { resourceName: name, resourceType: type });
  return new ConnectError(message, code, undefined, [{ desc: ResourceInfoSchema, value: detail }]);
}
