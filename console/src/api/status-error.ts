import { Code, ConnectError } from "@connectrpc/connect";

/** An error as the page shows it: the message of the server and its status code. */
export interface StatusError {
  readonly message: string;
  readonly code: string;
}

const NOT_RESPONDING: StatusError = { message: "The server is not responding.", code: "UNAVAILABLE" };

/** Turns anything a call threw into what the page shows. */
export function toStatusError(error: unknown): StatusError {
  const status = ConnectError.from(error);
  const code = Code[status.code].replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  // `fetch` throws this when the server is unreachable; the client wraps it.
  if (status.code === Code.Unknown && (error instanceof TypeError || status.cause instanceof TypeError))
    return NOT_RESPONDING;
  return ofProxy(status.rawMessage, code) ?? { message: status.rawMessage, code };
}

/**
 * What something between this page and the server answered in the server's place: a proxy that has lost it, limits calls or asks who calls. It is no error of the API, so the
 * client knows its status alone. Undefined for what the server said.
 */
function ofProxy(message: string, code: string): StatusError | undefined {
  if (message.startsWith("unsupported content type"))
    return {
      message: `${PROXY} answered with a page of its own. Reload this page; you may have to sign in there.`,
      code,
    };
  const status = Number(/^HTTP (\d{3})$/.exec(message)?.[1]);
  if (!status) return undefined;
  if ([502, 503, 504].includes(status)) return NOT_RESPONDING;
  if (status === 429)
    return {
      message: `${PROXY} takes no more calls for now. Wait a moment and try again.`,
      code: "RESOURCE_EXHAUSTED",
    };
  if (status === 413)
    return {
      message: `${PROXY} refuses what is so large. Send less, or ask its operator for a higher limit.`,
      code: "RESOURCE_EXHAUSTED",
    };
  return { message: `${PROXY} refused the call with status ${status}. Its operator may know why.`, code };
}

const PROXY = "A proxy between this page and the server";

/** Whether the server did not respond. A notice at the top of every page reports it. A server that has no database responds, and says so. */
export function isUnavailable(error: StatusError): boolean {
  return error === NOT_RESPONDING;
}

/** Whether the call needs a valid access token. The notice at the top of the page asks for it. */
export function isUnauthenticated({ code }: StatusError): boolean {
  return code === "UNAUTHENTICATED";
}
