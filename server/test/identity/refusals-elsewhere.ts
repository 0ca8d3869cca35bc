import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { ErrorInfoSchema } from "@frontdesk/protos/google/rpc/error_details";
import { ask } from "../mcp/client.ts";
import { LOCATION } from "./auth-server.ts";

/** Why a wire refused a caller: for programs, the reason of the status, over MCP the error of the challenge; and for people. */
interface Refusal {
  readonly reason: string | undefined;
  readonly message: string;
}

/** How the wires besides REST refuse a credential that shows nobody, in a call of a method that every owner may call. Throws when one of them takes it. */
export async function refusalsElsewhere(
  address: string,
  credential: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Refusal>>> {
  const transports = {
    gRPC: createGrpcTransport({ baseUrl: address }),
    "gRPC-Web": createGrpcWebTransport({ baseUrl: address, httpVersion: "1.1" }),
    Connect: createConnectTransport({ baseUrl: address, httpVersion: "1.1" }),
  };
  const calls = Object.entries(transports).map(async ([wire, transport]) => {
    const { listApps } = createClient(AgentService, transport);
    return [wire, await listApps({ parent: LOCATION }, { headers: credential }).then(taken, refusalOf)] as const;
  });
  return Object.fromEntries([...(await Promise.all(calls)), ["MCP", await refusalOfTool(address, credential)]]);
}

function taken(): never {
  throw new Error("the credential was taken");
}

function refusalOf(thrown: unknown): Refusal {
  const error = ConnectError.from(thrown);
  if (error.code !== Code.Unauthenticated) throw error;
  return { reason: error.findDetails(ErrorInfoSchema)[0]?.reason, message: error.rawMessage };
}

async function refusalOfTool(address: string, headers: Readonly<Record<string, string>>): Promise<Refusal> {
  const params = { name: "list_apps", arguments: { parent: LOCATION } };
  const { status, headers: answered, error } = await ask(address, "tools/call", params, { headers });
  if (status !== 401) throw new Error(`MCP answered ${status}`);
  const [, reason] = /\berror="(\w+)"/.exec(answered.get("www-authenticate") ?? "") ?? [];
  return { reason, message: error?.message ?? "" };
}
