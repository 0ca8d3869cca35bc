import { type Outbound, OutboundError } from "./contract.ts";

/** For places from which no tool may call anybody: every request is refused with `why`. */
export function closedOutbound(why: string): Outbound {
  const refuse = () => Promise.reject(new OutboundError("refused", why));
  return {
    fetch: refuse,
    webFetch: () => refuse,
    authorize: refuse,
    originsOfCode: async () => [],
    endUserCredentials: () => {
      throw new OutboundError("refused", why);
    },
    googleAccessToken: refuse,
    close: async () => {},
  };
}
