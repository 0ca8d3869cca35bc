import { Code, ConnectError } from "@connectrpc/connect";

/** An error as the page shows it: the message of the server and its status code. */
export interface StatusError {
  readonly message: string;
  readonly code: string;
}

/** Turns anything a call threw into what the page shows. */
export function toStatusError(error: unknown): StatusError {
  const status = ConnectError.from(error);
  const code = Code[status.code].replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  // `fetch` throws this when the server is unreachable; the client wraps it.
  if (status.code === Code.Unknown && (error instanceof TypeError || status.cause instanceof TypeError))
    return { message: "The server is not responding.", code: "UNAVAILABLE" };
  return { message: status.rawMessage, code };
}

/** Whether the server did not respond. A notice at the top of every page reports it. */
export function isUnavailable({ code }: StatusError): boolean {
  return code === "UNAVAILABLE";
}

/** Whether the call needs a valid access token. The notice at the top of the page asks for it. */
export function isUnauthenticated({ code }: StatusError): boolean {
  return code === "UNAUTHENTICATED";
}
