import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "./command.ts";
import { checkedAddress, serverAddress } from "./server-address.ts";
import { type TokenSource, tokensFor } from "./sign-in/bearer-token.ts";

/** A client of one service of the server in `--server` or in the environment. */
export function clientFor<S extends DescService>(service: S, { flags }: CommandInput): Client<S> {
  const baseUrl = addressOf({ flags });
  const interceptors = [withToken(tokensFor(baseUrl))];
  return createClient(service, createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors }));
}

function withToken(tokens: TokenSource | undefined): Interceptor {
  return (next) => async (request) => {
    if (tokens) request.header.set("authorization", `Bearer ${await tokens()}`);
    return next(request);
  };
}

/** Calls the server. A status error or an unreachable server becomes a `CommandError`. */
export async function callServer<T>(input: Pick<CommandInput, "flags">, calls: () => Promise<T>): Promise<T> {
  try {
    return await calls();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.Unavailable) {
      throw new CommandError(
        `no server responds at ${addressOf(input)}. Start one with 'npm start', or pass another address with --server.`,
      );
    }
    throw new CommandError(withSignIn(error, addressOf(input)));
  }
}

/** The address in `--server` or in the environment. */
export function addressOf({ flags }: Pick<CommandInput, "flags">): string {
  return typeof flags.server === "string" ? checkedAddress("--server", flags.server) : serverAddress();
}

/** Who is not known is told how to be. */
function withSignIn({ code, rawMessage }: ConnectError, address: string): string {
  if (code !== Code.Unauthenticated) return rawMessage;
  return `${rawMessage}\nLog in with 'frontdesk login ${address}', or set FRONTDESK_TOKEN or GOOGLE_APPLICATION_CREDENTIALS.`;
}
