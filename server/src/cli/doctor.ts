import type { ClockOffsets, Finding } from "#app";
import { ConnectError } from "#status";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { styled } from "./output/style.ts";
import { columns } from "./output/text-columns.ts";
import { connectionOf } from "./server/connection.ts";
import { localServer } from "./server/server-address.ts";

/** How long a server has to answer, milliseconds. */
const ANSWER_MS = 5_000;

/** `frontdesk doctor`: what a server on this machine needs, and the server that commands call. */
export const doctor: Command = {
  name: "doctor",
  operands: "",
  summary: "check what a server needs on this machine, and the server that commands call; each line with its fix",
  flags: [
    { name: "port", value: "number", summary: "TCP port (FRONTDESK_PORT; default 8080)" },
    { name: "data", value: "folder", summary: "data folder (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "YAML or JSON file with settings (FRONTDESK_CONFIG)" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["doctor", "doctor --config frontdesk.yaml --json", "doctor --context office"],
  exitCodes: { 1: "something is at fault, or the command failed" },
  run: async (input) => {
    if (input.positionals.length > 0) throw new CommandError("doctor takes no operands.");
    const offsets: ClockOffsets = [];
    const server = await checkServer(input, offsets);
    const findings = [...(await checkMachine(input, offsets)), ...server];
    printResult(input.flags, { value: findings.map((finding) => ({ ...finding })), text: () => linesOf(findings) });
    return findings.some(({ state }) => state === "fault") ? 1 : 0;
  },
};

async function checkMachine({ flags }: CommandInput, offsets: ClockOffsets): Promise<readonly Finding[]> {
  const { ConfigError, examine, readConfig } = await import("#app");
  const args = ["port", "data", "config"].flatMap((name) => (flags[name] ? [`--${name}`, String(flags[name])] : []));
  try {
    return await examine(readConfig(args), offsets);
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof ConnectError)) throw error;
    return [
      { name: "settings", state: "fault", detail: error.message.replace(/\.$/, ""), fix: "see docs/configuration.md" },
    ];
  }
}

/** The server of the command line, when it names another than the one of this machine, which the port's line is about. */
async function checkServer(input: CommandInput, offsets: ClockOffsets): Promise<readonly Finding[]> {
  const { address, tokens } = connectionOf(input);
  const isNamed = ["server", "endpoint", "context"].some((flag) => input.flags[flag] !== undefined);
  if (!isNamed && new URL(address).origin === localServer()) return [];
  const name = "server";
  try {
    const start = Date.now();
    const response = await fetch(address, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const serverTime = Date.parse(response.headers.get("date") ?? "");
    if (!Number.isNaN(serverTime)) offsets.push(start - serverTime);
    await tokens?.();
    return [{ name, state: "ok", detail: `${address} answers${tokens ? ", and there is a credential for it" : ""}` }];
  } catch (error) {
    if (error instanceof CommandError)
      return [{ name, state: "fault", detail: error.message, fix: `log in: frontdesk login ${address}` }];
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message || String(cause) : message;
    const fix = "check the address, and that the server runs";
    return [{ name, state: "fault", detail: `${address} cannot be reached: ${reason}`, fix }];
  }
}

const STYLES = { ok: "green", warning: "yellow", fault: "red" } as const;

function linesOf(findings: readonly Finding[]): string {
  const rows = columns(findings.map(({ state, name }) => [state, name, ""]));
  return findings
    .map(({ state, detail, fix }, at) => {
      const [left = ""] = [rows[at]];
      const width = Math.max(...rows.map((row) => row.length));
      const line = `${left.padEnd(width).replace(state, styled(STYLES[state], state))}  ${detail}`;
      return fix === undefined ? line : `${line}\n${" ".repeat(width)}  → ${fix}`;
    })
    .join("\n");
}
