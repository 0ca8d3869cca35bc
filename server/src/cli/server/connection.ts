import { CommandError, type CommandInput } from "../command.ts";
import { knownContext } from "../context/context.ts";
import { type Context, readContexts } from "../context/stored-contexts.ts";
import { textFlag } from "../flags/text-flag.ts";
import { contextTokens, givenToken, type TokenSource, tokensFor } from "../sign-in/bearer-token.ts";
import { checkedAddress, environmentServer, localServer } from "./server-address.ts";

/** What a command calls, as whom, and where its resources are. */
export interface Connection {
  readonly address: string;
  /** `grpc` is what the hosted service serves; `connect` passes proxies that know HTTP/1.1 alone. */
  readonly wire: "connect" | "grpc";
  /** Undefined: no credential, as a server without authentication needs none. */
  readonly tokens: TokenSource | undefined;
  readonly project: string;
  readonly location: string;
}

type Flags = CommandInput["flags"];
type Address = Pick<Connection, "address" | "wire">;

/**
 * The connection of a command line. Address: flags, the context that a flag names, FRONTDESK_SERVER, the current context, this machine. A context's
 * credential goes to the context's address and to no other. Throws `CommandError`.
 */
export function connectionOf({ flags }: Pick<CommandInput, "flags">): Connection {
  const { context, isNamed } = contextIn(flags);
  const place = addressIn(flags, context, isNamed);
  const own = sameOrigin(place, addressOfContext(context)) ? contextTokens(context, place.address) : undefined;
  const usual = () => (isNamed ? (own ?? tokensFor(place.address)) : tokensFor(place.address, own));
  return {
    ...place,
    tokens: givenToken(textFlag(flags.token)) ?? usual(),
    project: textFlag(flags.project) ?? context.project ?? "local",
    location: textFlag(flags.location) ?? context.location ?? "us",
  };
}

/** The project and location of a command line, as they begin names. */
export function placeOf(input: Pick<CommandInput, "flags">): string {
  const { project, location } = connectionOf(input);
  return `projects/${project}/locations/${location}`;
}

function contextIn(flags: Flags): { readonly context: Context; readonly isNamed: boolean } {
  const stored = readContexts();
  const named = textFlag(flags.context);
  const name = named === undefined ? stored.current : knownContext(named, stored);
  const context = name === undefined ? undefined : stored.contexts[name];
  return { context: context ?? {}, isNamed: named !== undefined };
}

function addressIn(flags: Flags, context: Context, isNamed: boolean): Address {
  const [server, endpoint] = [textFlag(flags.server), textFlag(flags.endpoint)];
  if (server !== undefined && endpoint !== undefined)
    throw new CommandError("--server and --endpoint exclude each other.");
  if (server !== undefined) return { address: checkedAddress("--server", server), wire: "connect" };
  if (endpoint !== undefined) return { address: checkedAddress("--endpoint", endpoint), wire: "grpc" };
  const stored = addressOfContext(context);
  if (isNamed && stored) return stored;
  const environment = environmentServer();
  if (environment !== undefined) return { address: environment, wire: "connect" };
  return stored ?? { address: localServer(), wire: "connect" };
}

function addressOfContext({ server, endpoint }: Context): Address | undefined {
  if (server !== undefined) return { address: server, wire: "connect" };
  return endpoint === undefined ? undefined : { address: endpoint, wire: "grpc" };
}

function sameOrigin(one: Address, other: Address | undefined): boolean {
  return other !== undefined && new URL(one.address).origin === new URL(other.address).origin;
}
