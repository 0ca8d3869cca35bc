import { timestampDate } from "@bufbuild/protobuf/wkt";
import { Operations } from "@frontdesk/protos/google/longrunning/operations";
import { type Job, JobSchema, JobService, Job_State as State } from "@frontdesk/protos/operations/job_service";
import { type Command, CommandError, type CommandInput, noSuchVerb, SERVER_FLAGS } from "./command.ts";
import { limitOf, tellOfMore } from "./flags/limit-flag.ts";
import { jsonOf } from "./output/json-of.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { columns } from "./output/text-columns.ts";
import { firstItems } from "./server/all-pages.ts";
import { connectionOf } from "./server/connection.ts";
import { callServer, clientFor } from "./server/server-client.ts";

const WORDS = ["list", "retry", "cancel"] as const;

/** `frontdesk operations`: what the server works on, waits for and failed at. */
export const operations: Command = {
  name: "operations",
  operands: `${WORDS.join("|")} [operation]`,
  words: WORDS,
  summary: "list long-running operations, begin dead letters again, cancel",
  flags: [
    { name: "state", value: "state", summary: "running, waiting, succeeded, failed or dead (default: all)" },
    { name: "limit", value: "number", summary: "the newest operations, at most this many (default 50)" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["operations list --state dead", "operations retry 6f1c…", "operations cancel 6f1c…"],
  run: async (input) => {
    const [word = "", operation] = input.positionals;
    if (word === "list" && operation !== undefined)
      throw new CommandError(`operations list takes no name; leave '${operation}' out.`);
    if (word === "list") return list(input);
    if (word !== "retry" && word !== "cancel") throw noSuchVerb("operations", word, WORDS);
    if (!operation) throw new CommandError(`say which: frontdesk operations ${word} <id or name>.`);
    const name = operation.includes("/") ? operation : `${locationOf(input)}/operations/${operation}`;
    if (word === "retry") {
      const job = await callServer(input, () => clientFor(JobService, input).retryJob({ name }));
      print([job], input.flags);
      return 0;
    }
    await callServer(input, () => clientFor(Operations, input).cancelOperation({ name }));
    printResult(input.flags, { value: { name }, text: `${name} is asked to stop.` });
    return 0;
  },
};

async function list(input: CommandInput): Promise<number> {
  const request = {
    parent: locationOf(input),
    state: stateOf(input.flags.state),
  };
  const limit = limitOf(input.flags, { standard: 50 });
  const { items, hasMore } = await callServer(input, () =>
    firstItems(limit, async (pageToken, pageSize) => {
      const page = await clientFor(JobService, input).listJobs({ ...request, pageToken, pageSize });
      return { items: page.jobs, nextPageToken: page.nextPageToken };
    }),
  );
  print(items, input.flags);
  tellOfMore(input.flags, hasMore, `the newest ${items.length} operations`);
  return 0;
}

function locationOf(input: CommandInput): string {
  const { project, location } = connectionOf(input);
  return `projects/${project}/locations/${location}`;
}

function stateOf(flag: CommandInput["flags"][string]): State {
  if (typeof flag !== "string") return State.STATE_UNSPECIFIED;
  const state = State[flag.toUpperCase() as keyof typeof State];
  if (state) return state;
  throw new CommandError(`--state is '${flag}'; use running, waiting, succeeded, failed or dead.`);
}

function print(jobs: readonly Job[], flags: CommandInput["flags"]): void {
  printResult(flags, {
    value: jobs.map((job) => jsonOf(JobSchema, job)),
    text: () => (jobs.length === 0 ? "None." : columns(jobs.map(cells)).join("\n")),
  });
}

function cells({ name, kind, state, createTime, failedAttempts, maxAttempts, subject, error }: Job): readonly string[] {
  const time = createTime ? timestampDate(createTime).toISOString().slice(0, 19).replace("T", " ") : "";
  const tried = failedAttempts > 0 ? `${failedAttempts} of ${maxAttempts} attempts failed` : "";
  // What is about the whole server is below no location that a command could add.
  const id = name.startsWith("projects/-/") ? name : name.slice(name.lastIndexOf("/") + 1);
  return [
    time,
    State[state]?.toLowerCase() ?? "",
    kind,
    id,
    subject,
    [tried, error?.message].filter(Boolean).join(": "),
  ];
}
