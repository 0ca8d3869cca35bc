import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "./command.ts";
import { checkedAddress, serverAddress } from "./server-address.ts";

/** A client of one service of the server in `--server` or in the environment. */
export function clientFor<S extends DescService>(service: S, { flags }: CommandInput): Client<S> {
  return createClient(service, createConnectTransport({ baseUrl: addressOf({ flags }), httpVersion: "1.1" }));
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
    throw new CommandError(error.rawMessage);
  }
}

/** The address in `--server` or in the environment. */
export function addressOf({ flags }: Pick<CommandInput, "flags">): string {
  return typeof flags.server === "string" ? checkedAddress("--server", flags.server) : serverAddress();
}
