import { resolve } from "node:path";
import { nonEmptyFields } from "#base";
import { type Command, CommandError, type CommandInput, didYouMean, noSuchVerb } from "../command.ts";
import { OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { columns } from "../output/text-columns.ts";
import { checkedAddress } from "../server/server-address.ts";
import { CONTEXT_FIELDS, type Context, readContexts, type StoredContexts, writeContexts } from "./stored-contexts.ts";

type Action = (name: string | undefined, input: CommandInput) => void;

const ACTIONS: Readonly<Record<string, Action>> = { list, set, use, show, delete: remove };

/** `frontdesk context`: servers with who calls them and where, under names. */
export const context: Command = {
  name: "context",
  operands: `${Object.keys(ACTIONS).join("|")} [name]`,
  words: Object.keys(ACTIONS),
  summary: "keep addresses, credentials, projects and locations under names, and choose one",
  flags: [
    { name: "server", value: "url", summary: "address of a Frontdesk server" },
    { name: "endpoint", value: "url", summary: "address of the hosted service, or of another server, called by gRPC" },
    { name: "token", value: "token", summary: "bearer token, kept in a file that only you can read" },
    { name: "key", value: "file", summary: "key file of a service account" },
    { name: "project", value: "id", summary: "project" },
    { name: "location", value: "id", summary: "location" },
    ...OUTPUT_FLAGS,
  ],
  examples: [
    "context set office --server https://desk.example.com --key ci.json --project retail",
    "context set hosted --endpoint https://ces.googleapis.com --key key.json --project my-project --location us",
    "context use office",
    "context list",
  ],
  run: async (input) => {
    const [verb = "", name] = input.positionals;
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!action) throw noSuchVerb("context", verb, Object.keys(ACTIONS));
    if (verb === "list" && name !== undefined)
      throw new CommandError(`context list takes no name. To see one: context show ${name}.`);
    action(name, input);
    return 0;
  },
};

function list(_name: string | undefined, { flags }: CommandInput): void {
  const { current, contexts } = readContexts();
  const value = Object.entries(contexts).map(([name, context]) => ({
    name,
    current: name === current,
    ...withoutSecrets(context),
  }));
  const rows = Object.entries(contexts).map(([name, { server, endpoint, project = "-", location = "-" }]) => {
    return [name === current ? "*" : "", name, server ?? endpoint ?? "-", project, location];
  });
  const table = () => columns([["", "NAME", "ADDRESS", "PROJECT", "LOCATION"], ...rows]).join("\n");
  const none = "None. Make one: frontdesk context set <name> --server <url>";
  printResult(flags, { value, text: () => (rows.length === 0 ? none : table()) });
}

/** Makes a context, or changes the fields that are given. The first is the current one at once. */
function set(given: string | undefined, { flags }: CommandInput): void {
  const name = nameOf(given);
  const fields = Object.fromEntries(
    CONTEXT_FIELDS.flatMap((field) => {
      const value = flags[field];
      return typeof value === "string" ? [[field, checked(field, value)]] : [];
    }),
  );
  if (fields.server && fields.endpoint) throw new CommandError("a context has --server or --endpoint, not both.");
  const { current, contexts } = readContexts();
  const { server, endpoint, ...before } = contexts[name] ?? {};
  // Another address takes the place of the one before, and the credentials of that one do not follow it.
  const isMoved = fields.server !== undefined || fields.endpoint !== undefined;
  const { token: _token, key: _key, ...place } = before;
  const kept: Context = isMoved ? place : { ...before, ...nonEmptyFields({ server, endpoint }) };
  writeContexts({ current: current ?? name, contexts: { ...contexts, [name]: { ...kept, ...fields } } });
  printResult(flags, { value: { name, ...withoutSecrets({ ...kept, ...fields }) }, text: `Set ${name}.` });
}

function use(given: string | undefined, { flags }: CommandInput): void {
  const { stored, name } = found(given);
  writeContexts({ ...stored, current: name });
  printResult(flags, { value: { name }, text: `Commands use ${name} now.` });
}

function show(given: string | undefined, { flags }: CommandInput): void {
  const current = given ?? readContexts().current;
  if (current === undefined) throw new CommandError("no context is in use. Choose one with frontdesk context use.");
  const { stored, name } = found(current);
  const value = { name, ...withoutSecrets(stored.contexts[name] ?? {}) };
  const rows = Object.entries(value).map(([field, text]) => [field, text]);
  printResult(flags, { value, text: () => columns(rows).join("\n") });
}

function remove(given: string | undefined, { flags }: CommandInput): void {
  const { stored, name } = found(given);
  const { [name]: _gone, ...contexts } = stored.contexts;
  writeContexts({ current: stored.current === name ? undefined : stored.current, contexts });
  printResult(flags, { value: { name }, text: `Deleted ${name}.` });
}

function nameOf(name: string | undefined): string {
  if (name !== undefined && /^[\w.-]{1,64}$/.test(name)) return name;
  throw new CommandError(
    name === undefined
      ? "name the context."
      : `'${name}' cannot be the name of a context; use letters, digits, '-', '_' and '.'.`,
  );
}

function found(given: string | undefined): { readonly stored: StoredContexts; readonly name: string } {
  const stored = readContexts();
  return { stored, name: knownContext(nameOf(given), stored) };
}

/** The name, when there is such a context. Throws `CommandError`. */
export function knownContext(name: string, { contexts }: StoredContexts): string {
  if (Object.hasOwn(contexts, name)) return name;
  const names = Object.keys(contexts);
  throw new CommandError(
    `there is no context '${name}'; there are ${names.join(", ") || "none"}.${didYouMean(name, names)}`,
  );
}

/** Key files are named by their whole path: commands run in other folders. */
function checked(field: (typeof CONTEXT_FIELDS)[number], value: string): string {
  if (field === "server" || field === "endpoint") return checkedAddress(`--${field}`, value);
  return field === "key" ? resolve(value) : value;
}

/** A token is never shown again. */
function withoutSecrets({ token, ...context }: Context): Record<string, string> {
  return { ...context, ...(token && { token: "(kept)" }) };
}
