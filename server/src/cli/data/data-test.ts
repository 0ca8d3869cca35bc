import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { CommandError, type CommandInput } from "../command.ts";
import { printResult } from "../output/print-result.ts";
import { placeOf } from "../server/connection.ts";
import { callServer, clientFor } from "../server/server-client.ts";

/** `frontdesk data test <connection>`: whether a connected database answers, by its id or resource name. */
export async function testDataConnection(input: CommandInput): Promise<number> {
  const [, id, ...more] = input.positionals;
  if (!id || more.length > 0) throw new CommandError("say which one: data test <id or resource name of a connection>.");
  const name = id.includes("/") ? id : `${placeOf(input)}/dataConnections/${id}`;
  const { tableCount } = await callServer(input, () => clientFor(DataAgentService, input).testDataConnection({ name }));
  const tables = tableCount === 1 ? "1 table" : `${tableCount} tables`;
  printResult(input.flags, { value: { name, tableCount }, text: `Connected. It shows ${tables}.` });
  return 0;
}
