import { create } from "@bufbuild/protobuf";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { watchStream } from "#base";
import type { CallContext, Interceptor } from "#rpc";
import { Code, ConnectError, toStatusError } from "#status";
import type { ChatTokenGuard } from "./chat-token-guard.ts";
import { embeddedPage } from "./embedded-page.ts";

/** What an end user may read in place of a message for the operator, by code; for every other code the last sentence. */
const SENTENCES: ReadonlyMap<Code, string> = new Map([
  [Code.DeadlineExceeded, "The answer took too long. Try again."],
  [Code.ResourceExhausted, "Too many people are asking at the moment. Try again later."],
]);
const UNAVAILABLE = "This chat cannot answer at the moment. Try again later.";

/** Reasons of errors about the token and the page, on which the client of an end user has to act. */
const ABOUT_THE_TOKEN: ReadonlySet<string> = new Set([
  "CHAT_TOKEN_INVALID",
  "CHAT_TOKEN_EXPIRED",
  "CHAT_TOKEN_SCOPE",
  "ORIGIN_NOT_ALLOWED",
]);

/**
 * Replaces errors for callers with a chat token and for embedding pages (WIRE-31): their readers are end users, and messages name settings, providers
 * and code of the app. Code, reason and the time of the next try stay, for programs; the log gets the error. Errors about the request itself or its token are passed on.
 */
export function hideOperatorErrors(guard: ChatTokenGuard): Interceptor {
  const hide = (error: unknown, context: CallContext): unknown => {
    const statusError = toStatusError(error);
    if (!isEndUser(guard, context) || mayBeRead(statusError)) return error;
    context.logger.warn({ err: error }, "an error was hidden from an end user");
    // The log has the cause of an internal error, and its answer names nothing.
    return statusError.code === Code.Internal ? error : withoutMessage(statusError);
  };
  return (next) => ({
    unary: (method, request, context) =>
      next.unary(method, request, context).catch((error: unknown) => {
        throw hide(error, context);
      }),
    stream: (method, request, context) =>
      watchStream(() => next.stream(method, request, context), {
        onEnd: (end) => {
          if (end.kind === "failed") throw hide(end.error, context);
        },
      }),
  });
}

/** A token that is not valid throws: the error about it says so itself. */
function isEndUser(guard: ChatTokenGuard, context: CallContext): boolean {
  if (embeddedPage(context.headers) !== undefined) return true;
  try {
    return guard.hasChatToken(context);
  } catch {
    return true;
  }
}

function mayBeRead(error: ConnectError): boolean {
  if (error.code === Code.Canceled || error.findDetails(BadRequestSchema).length > 0) return true;
  return error.findDetails(ErrorInfoSchema).some(({ reason }) => ABOUT_THE_TOKEN.has(reason));
}

function withoutMessage(error: ConnectError): ConnectError {
  const reasons = error
    .findDetails(ErrorInfoSchema)
    .map(({ domain, reason }) => ({ desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { domain, reason }) }));
  const retries = error.findDetails(RetryInfoSchema).map((value) => ({ desc: RetryInfoSchema, value }));
  const details = [...reasons, ...retries];
  return new ConnectError(SENTENCES.get(error.code) ?? UNAVAILABLE, error.code, undefined, details, error);
}
