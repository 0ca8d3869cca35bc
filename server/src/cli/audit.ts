import { toJson } from "@bufbuild/protobuf";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type AuditEntry, AuditEntrySchema, AuditService } from "@frontdesk/protos/audit/audit_service";
import { type Command, type CommandInput, SERVER_FLAGS } from "./command.ts";
import { limitOf, tellOfMore } from "./flags/limit-flag.ts";
import { sinceOf } from "./flags/since.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { columns } from "./output/text-columns.ts";
import { firstItems } from "./server/all-pages.ts";
import { connectionOf } from "./server/connection.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** `frontdesk audit`: who did what, the newest last. */
export const audit: Command = {
  name: "audit",
  operands: "[project]",
  summary: "show who changed what in a project (default: local)",
  flags: [
    { name: "since", value: "time", summary: "from this time on: 30m, 12h, 7d, or a date (default 24h)" },
    { name: "caller", value: "principal", summary: "calls of this caller, e.g. user:ann@example.com" },
    { name: "resource", value: "name", summary: "calls about this resource and what is below it" },
    { name: "method", value: "name", summary: "calls of this method, e.g. DeleteApp" },
    { name: "limit", value: "number", summary: "the newest entries, at most this many (default 50)" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["audit --since 7d", "audit retail --method DeleteApp", "audit - --caller user:ann@example.com --json"],
  run: async (input) => {
    const { flags, positionals } = input;
    const text = (flag: string) => (typeof flags[flag] === "string" ? flags[flag] : "");
    const request = {
      parent: `projects/${positionals[0] ?? connectionOf(input).project}`,
      startTime: timestampFromMs(sinceOf(text("since") || "24h")),
      principal: text("caller"),
      resource: text("resource"),
      method: text("method"),
    };
    const limit = limitOf(flags, { standard: 50 });
    const { items, hasMore } = await callServer(input, () =>
      firstItems(limit, async (pageToken, pageSize) => {
        const page = await clientFor(AuditService, input).listAuditEntries({ ...request, pageToken, pageSize });
        return { items: page.auditEntries, nextPageToken: page.nextPageToken };
      }),
    );
    print(items.toReversed(), flags);
    tellOfMore(flags, hasMore, `the newest ${items.length} entries of that time`);
    return 0;
  },
};

function print(entries: readonly AuditEntry[], flags: CommandInput["flags"]): void {
  printResult(flags, {
    value: entries.map((entry) => toJson(AuditEntrySchema, entry)),
    text: () => (entries.length === 0 ? "None." : columns(entries.map(cells)).join("\n")),
  });
}

function cells({ eventTime, principal, callerKind, outcome, method, resource }: AuditEntry): readonly string[] {
  const time = eventTime ? timestampDate(eventTime).toISOString().slice(0, 19).replace("T", " ") : "";
  return [time, principal || callerKind, outcome, method.slice(method.lastIndexOf(".") + 1), resource];
}
