import { Code, ConnectError } from "@connectrpc/connect";

/** An error as a person reads it: what was refused, and the code for whoever wants to look it up. */
export interface StatusError {
  readonly message: string;
  readonly code: string;
}

/** Turns anything a call threw into what the page shows. */
export function toStatusError(error: unknown): StatusError {
  const status = ConnectError.from(error);
  const code = Code[status.code].replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  // `fetch` throws this when nobody answers; the client wraps it.
  if (status.code === Code.Unknown && (error instanceof TypeError || status.cause instanceof TypeError))
    return { message: "The server is not responding.", code: "UNAVAILABLE" };
  return { message: status.rawMessage, code };
}

/** Whether the server wants to know who calls: the page as a whole says so then, and takes a token. */
export function isUnauthenticated({ code }: StatusError): boolean {
  return code === "UNAUTHENTICATED";
}
