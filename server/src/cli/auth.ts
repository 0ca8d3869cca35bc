import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { create, type DescService, toJson } from "@bufbuild/protobuf";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { IAMPolicy } from "@frontdesk/protos/google/iam/v1/iam_policy";
import { BindingSchema } from "@frontdesk/protos/google/iam/v1/policy";
import {
  type Credential,
  CredentialSchema,
  CredentialService,
  Credential_Kind as Kind,
} from "@frontdesk/protos/identity/credential_service";
import { readOperatorFile } from "#base";
import { type Command, CommandError, type CommandInput, noSuchVerb } from "./command.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { columns } from "./output/text-columns.ts";
import { allPages } from "./server/all-pages.ts";
import { commandErrorOf } from "./server/refusal-text.ts";
import { dataFolder } from "./server/server-address.ts";
import { startErrorOf } from "./start-error.ts";

type Credentials = Client<typeof CredentialService>;

/** What an action has: the command line, and the credentials of the data folder. */
interface Action {
  readonly name: string | undefined;
  readonly parent: string;
  readonly input: CommandInput;
  readonly credentials: Credentials;
  readonly admin: { readonly address: string; readonly token: string };
}

const ACTIONS: Readonly<Record<string, (action: Action) => Promise<unknown>>> = {
  init,
  "create-key": createKey,
  "create-api-key": createApiKey,
  "list-keys": listKeys,
  "revoke-key": revokeKey,
  link,
};

/** Actions that take no name. */
const NAMELESS: ReadonlySet<string> = new Set(["list-keys", "link"]);

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** `frontdesk auth`: keys of this server, made and revoked by who can read its data folder, while it runs and while it does not. */
export const auth: Command = {
  name: "auth",
  operands: `${Object.keys(ACTIONS).join("|")} [name]`,
  words: Object.keys(ACTIONS),
  summary: "make, list and revoke the keys with which programs call this server",
  flags: [
    { name: "data", value: "folder", summary: "data folder of the server (FRONTDESK_DATA; default .frontdesk)" },
    { name: "config", value: "file", summary: "its configuration file (FRONTDESK_CONFIG)" },
    { name: "project", value: "id", summary: "project of the key (default local)" },
    { name: "out", value: "file", summary: "where a key file is written (default <name>.json), - for standard output" },
    {
      name: "universe",
      value: "domain",
      summary: "universe in the key file, for the client googleapis: frontdesk.local",
    },
    { name: "expires", value: "time", summary: "the key ends after this time: 12h, 90d (default never)" },
    { name: "app", value: "name", summary: "the app that an API key is good for (default: its project)" },
    {
      name: "role",
      value: "role",
      summary: "give the key's caller this role on the project, or on --app: roles/ces.client",
    },
    { name: "user", value: "email", summary: "whom a link signs in (default: the operator)" },
    ...OUTPUT_FLAGS,
  ],
  examples: [
    "auth init",
    "auth create-key ci --role roles/ces.client --expires 90d",
    "auth list-keys --json",
    "auth revoke-key k1",
    "auth link --user ann@example.com",
  ],
  run: async (input) => {
    const { positionals, flags } = input;
    const [verb = "", name] = positionals;
    const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined;
    if (!action) throw noSuchVerb("auth", verb, Object.keys(ACTIONS));
    if (name !== undefined && NAMELESS.has(verb))
      throw new CommandError(`auth ${verb} takes no name; leave '${name}' out.`);
    const admin = await adminOf(input);
    try {
      const parent = `projects/${flags.project ?? "local"}`;
      await action({ name, parent, input, credentials: clientOf(CredentialService, admin), admin });
      return 0;
    } catch (error) {
      throw commandErrorOf(error);
    } finally {
      await admin.close();
    }
  },
};

/** The server that runs on the data folder, else the folder itself, for which the code of the server is loaded. */
async function adminOf({ flags }: CommandInput): Promise<Action["admin"] & { close(): Promise<void> }> {
  const folder = flags.config === undefined ? String(flags.data ?? dataFolder()) : "";
  const named = folder === "" ? undefined : readOperatorFile(resolve(folder));
  if (named) return { ...named, close: async () => {} };
  const { openAdmin, readConfig } = await import("#app");
  try {
    const settings = ["data", "config"].flatMap((flag) => (flags[flag] ? [`--${flag}`, String(flags[flag])] : []));
    const config = readConfig(settings);
    const running = readOperatorFile(config.dataDir);
    return running ? { ...running, close: async () => {} } : await openAdmin(config);
  } catch (error) {
    throw await startErrorOf(error);
  }
}

function clientOf<S extends DescService>(service: S, { address, token }: Action["admin"]): Client<S> {
  const transport = createConnectTransport({
    baseUrl: address,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        request.header.set("authorization", `Bearer ${token}`);
        return next(request);
      },
    ],
  });
  return createClient(service, transport);
}

/** The first admin: a key, and the role of an owner of the project. */
async function init(action: Action): Promise<void> {
  const { input, name = "admin" } = action;
  await createKey({ ...action, name, input: { ...input, flags: { role: "roles/owner", ...input.flags } } });
}

/** Gives the caller of a new key the role in `--role`. Without one, it is known and may do nothing yet. */
async function grant(principal: string, { parent, admin, input: { flags } }: Action): Promise<void> {
  const { role } = flags;
  if (role === undefined) {
    process.stderr.write(`It has no role yet: see docs/access.md, or make a key with --role roles/ces.client.\n`);
    return;
  }
  const resource = String(flags.app ?? parent);
  const policies = clientOf(IAMPolicy, admin);
  const policy = await policies.getIamPolicy({ resource, options: { requestedPolicyVersion: 3 } });
  const binding = create(BindingSchema, { role: String(role), members: [principal] });
  await policies.setIamPolicy({ resource, policy: { ...policy, bindings: [...policy.bindings, binding] } });
  process.stderr.write(`${principal} has ${role} on ${resource}.\n`);
}

async function createKey(action: Action): Promise<void> {
  const { principal, undo } = await writeKeyFile(action);
  try {
    await grant(principal, action);
  } catch (error) {
    await undo();
    throw error;
  }
}

/** `undo` revokes the key and deletes its file. */
async function writeKeyFile(action: Action): Promise<{ readonly principal: string; undo(): Promise<void> }> {
  const { name: account, parent, input, credentials } = action;
  const { flags } = input;
  if (!account) throw new CommandError("Name the service account, e.g. frontdesk auth create-key ci.");
  const path = String(flags.out ?? `${account}.json`);
  // The file first: a key that cannot be written would be lost.
  const file = path === "-" ? undefined : openNew(path);
  try {
    const { name, principal, secret } = await credentials.createCredential({
      parent,
      credential: { kind: Kind.SERVICE_ACCOUNT_KEY, account, ...expiryOf(flags.expires) },
      universeDomain: String(flags.universe ?? ""),
    });
    const undo = async () => {
      await credentials.deleteCredential({ name });
      if (file !== undefined) rmSync(path, { force: true });
    };
    if (file === undefined) process.stdout.write(secret);
    else {
      writeFileSync(file, secret);
      process.stderr.write(`${principal} signs in with the key in ${path}. Nothing shows it again.\n`);
      printResult(flags, { value: { name, principal, file: path }, text: "" });
    }
    return { principal, undo };
  } catch (error) {
    if (file !== undefined) rmSync(path, { force: true });
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Readable by its owner only. A file that is there may be a key that is in use. */
function openNew(path: string): number {
  try {
    return openSync(path, "wx", 0o600);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}. Name another file with --out.`);
  }
}

async function createApiKey(action: Action): Promise<void> {
  const { name = "", parent, input, credentials } = action;
  const { flags } = input;
  const within = flags.app === undefined ? [] : [String(flags.app)];
  const credential = { kind: Kind.API_KEY, displayName: name, within, ...expiryOf(flags.expires) };
  const { name: key, principal, secret } = await credentials.createCredential({ parent, credential });
  try {
    await grant(principal, action);
  } catch (error) {
    await credentials.deleteCredential({ name: key });
    throw error;
  }
  process.stderr.write(`The key of ${principal}. Nothing shows it again:\n`);
  printResult(flags, { value: { name: key, principal, secret }, text: secret });
}

async function listKeys({ parent, credentials, input }: Action): Promise<void> {
  const found = await allPages(async (pageToken) => {
    const page = await credentials.listCredentials({ parent, pageToken, pageSize: 1_000 });
    return { items: page.credentials, nextPageToken: page.nextPageToken };
  });
  const heading = ["KEY", "PRINCIPAL", "NAME", "MADE", "LAST USE", "EXPIRES"];
  printResult(input.flags, {
    value: found.map((credential) => toJson(CredentialSchema, credential)),
    text: () => columns([heading, ...found.map(cells)]).join("\n"),
  });
}

function cells({ name, principal, displayName, createTime, lastUsedTime, expireTime }: Credential): readonly string[] {
  const day = (time: typeof createTime, otherwise: string) =>
    time ? timestampDate(time).toISOString().slice(0, 16).replace("T", " ") : otherwise;
  const id = name.slice(name.lastIndexOf("/") + 1);
  return [
    id,
    principal,
    displayName || "-",
    day(createTime, "-"),
    day(lastUsedTime, "never"),
    day(expireTime, "never"),
  ];
}

async function revokeKey({ name, parent, credentials, input }: Action): Promise<void> {
  if (!name) throw new CommandError("Name the key, as frontdesk auth list-keys shows it.");
  const key = `${parent}/credentials/${name}`;
  await credentials.deleteCredential({ name: key });
  process.stderr.write(`The key ${name} is revoked.\n`);
  printResult(input.flags, { value: { name: key }, text: "" });
}

/** A link is kept in the memory of the server that it signs in to. */
async function link({ input: { flags }, admin }: Action): Promise<void> {
  const body = JSON.stringify(flags.user === undefined ? {} : { principal: `user:${flags.user}` });
  const headers = { authorization: `Bearer ${admin.token}` };
  const response = await fetch(`${admin.address}/auth/links`, { method: "POST", headers, body });
  if (!response.ok)
    throw new CommandError("The server does not run with --auth required on this data folder, or the address is none.");
  const { url } = (await response.json()) as { readonly url: string };
  printResult(flags, { value: { url }, text: url });
}

function expiryOf(text: string | boolean | undefined): Pick<Partial<Credential>, "expireTime"> {
  if (text === undefined) return {};
  const [, count, unit = ""] = /^(\d{1,5})([hd])$/.exec(String(text)) ?? [];
  if (count === undefined) throw new CommandError(`--expires is '${text}'; use e.g. 12h or 90d.`);
  return { expireTime: timestampFromMs(Date.now() + Number(count) * (UNITS_MS[unit] ?? 0)) };
}
