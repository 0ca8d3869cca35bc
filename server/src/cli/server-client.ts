import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "./command.ts";
import { serverAddress } from "./server-address.ts";

/** A client of one service of the server that `--server` or the environment names. */
export function clientFor<S extends DescService>(service: S, { flags }: CommandInput): Client<S> {
  return createClient(service, createConnectTransport({ baseUrl: addressOf({ flags }), httpVersion: "1.1" }));
}

/** Runs calls to the server; a refusal or an absent server becomes one sentence. */
export async function talking<T>(input: Pick<CommandInput, "flags">, calls: () => Promise<T>): Promise<T> {
  try {
    return await calls();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.Unavailable) {
      throw new CommandError(
        `no server answers at ${addressOf(input)}. Start one with 'npm start', or name another with --server.`,
      );
    }
    throw new CommandError(error.rawMessage);
  }
}

/** Address of the server that `--server` or the environment names. */
export function addressOf({ flags }: Pick<CommandInput, "flags">): string {
  return typeof flags.server === "string" ? flags.server : serverAddress();
}
