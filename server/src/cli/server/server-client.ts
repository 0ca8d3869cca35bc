import type { DescService } from "@bufbuild/protobuf";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import type { TokenSource } from "../sign-in/bearer-token.ts";
import { type Connection, connectionOf } from "./connection.ts";
import { meantApp } from "./meant-app.ts";
import { refusalText } from "./refusal-text.ts";
import { tlsFaultText } from "./tls-fault.ts";
import { isCutOff } from "./unanswered.ts";

/** A client of one service of the server that the command line, the environment or a context names. */
export function clientFor<S extends DescService>(service: S, input: Pick<CommandInput, "flags">): Client<S> {
  return createClient(service, transportOf(connectionOf(input)));
}

function transportOf({ address: baseUrl, wire, tokens }: Connection) {
  const interceptors = [withToken(tokens)];
  if (wire === "connect") return createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors });
  return createGrpcTransport({ baseUrl, interceptors: [...interceptors, withRouting] });
}

const withRouting: Interceptor = (next) => async (request) => {
  const { routingHeader } = await import("./routing-header.ts");
  const routing = request.stream ? undefined : routingHeader(request.method, request.message);
  if (routing !== undefined) request.header.set("x-goog-request-params", routing);
  return next(request);
};

function withToken(tokens: TokenSource | undefined): Interceptor {
  return (next) => async (request) => {
    if (tokens) request.header.set("authorization", `Bearer ${await tokens()}`);
    return next(request);
  };
}

/** The header of the token, for requests that are no calls of a client. */
export async function authorizationFor(
  input: Pick<CommandInput, "flags">,
): Promise<{ readonly authorization?: string }> {
  const token = await connectionOf(input).tokens?.();
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Calls the server. A status error or an unreachable server becomes a `CommandError`. */
export async function callServer<T>(input: Pick<CommandInput, "flags">, calls: () => Promise<T>): Promise<T> {
  try {
    return await calls();
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.Unavailable) {
      throw new CommandError(
        `no server responds at ${addressOf(input)}. Start one with 'frontdesk start', or pass another address with --server.`,
      );
    }
    const address = addressOf(input);
    const fault = tlsFaultText(error, address) ?? cutOffText(error, address) ?? noApiText(error, address);
    const text = fault ?? (await meantApp(error, () => clientFor(AgentService, input)));
    throw new CommandError(text ?? withSignIn(error, connectionOf(input)));
  }
}

function cutOffText(error: ConnectError, address: string): string | undefined {
  if (!isCutOff(error)) return undefined;
  return `the connection to ${address} was lost before the answer came, so nobody knows whether the server did what it was asked. Look whether it runs, and try again.`;
}

/** The address that the command line, the environment or a context names. */
export function addressOf(input: Pick<CommandInput, "flags">): string {
  return connectionOf(input).address;
}

/** What to say where a web page, a proxy or another program answered: each refusal of the API has a message. Undefined for such. */
function noApiText({ code, rawMessage }: ConnectError, address: string): string | undefined {
  if (code === Code.Unauthenticated || !/^(?:HTTP \d+|(?:unsupported|unexpected) .*content.type.*)?$/i.test(rawMessage))
    return undefined;
  const { origin, pathname } = new URL(address);
  const advice =
    pathname === "/" ? "Check the address." : `Its address has a path; perhaps the server is at ${origin}.`;
  return `no Frontdesk API answers at ${address}${rawMessage && ` (${rawMessage})`}. ${advice}`;
}

/** Who is not known is told how to be. */
function withSignIn(error: ConnectError, { address, wire }: Connection): string {
  const { code, rawMessage } = error;
  if (code !== Code.Unauthenticated) return refusalText(error);
  if (wire === "grpc")
    return `${rawMessage}\nPass --token with an access token, set FRONTDESK_TOKEN, or keep a key with frontdesk context set.`;
  return `${rawMessage}\nLog in with 'frontdesk login ${address}', or set FRONTDESK_TOKEN or GOOGLE_APPLICATION_CREDENTIALS.`;
}
