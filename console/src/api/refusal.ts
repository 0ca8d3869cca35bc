import { Code, ConnectError } from "@connectrpc/connect";

/** A refusal as a person reads it: what was refused, and the code for whoever wants to look it up. */
export interface Refusal {
  readonly message: string;
  readonly code: string;
}

/** Turns anything a call threw into what the page shows. */
export function toRefusal(error: unknown): Refusal {
  const refusal = ConnectError.from(error);
  const code = Code[refusal.code].replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();
  // `fetch` throws this when nobody answers; the client wraps it.
  if (refusal.code === Code.Unknown && (error instanceof TypeError || refusal.cause instanceof TypeError))
    return { message: "The server does not answer.", code: "UNAVAILABLE" };
  return { message: refusal.rawMessage, code };
}

/** Whether the server wants to know who calls: the page as a whole says so then, and takes a token. */
export function isAccess({ code }: Refusal): boolean {
  return code === "UNAUTHENTICATED";
}
