import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { AssistantService } from "@frontdesk/protos/ces/assistant_service";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { SessionService } from "@frontdesk/protos/ces/session_service";
import { ToolService } from "@frontdesk/protos/ces/tool_service";
import { WidgetService } from "@frontdesk/protos/ces/widget_service";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { classifyMethod, resourceTypeOf } from "#aip";
import { startTestServer } from "#testing";

const SRC = join(import.meta.dirname, "..", "src");
const PAGE = join(import.meta.dirname, "..", "..", "docs", "fields.md");

/** One API: its services, the package of its messages, and the rooms whose code acts on them. */
interface Api {
  readonly services: readonly DescService[];
  readonly package: string;
  readonly rooms: readonly string[];
}

const ROOMS = ["aip", "app", "protocols", "resources", "rpc", "services"];
const APIS: readonly Api[] = [
  {
    services: [AgentService, AssistantService, EvaluationService, SessionService, ToolService, WidgetService],
    package: "google.cloud.ces.v1beta.",
    rooms: [
      ...ROOMS,
      "assistant",
      "evaluation",
      "generation",
      "operations",
      "outbound",
      "sandbox",
      "search",
      "session",
      "tools",
    ],
  },
  {
    services: [DataAgentService, DataChatService],
    package: "google.cloud.geminidataanalytics.v1beta.",
    rooms: [...ROOMS, "analytics", "offline", "warehouse"],
  },
];

/** Fields that the writer of resources reads and sets for every type, by annotation. */
const OF_EVERY_RESOURCE = new Set([
  ...["name", "display_name", "create_time", "update_time", "etag"],
  ...["created_by", "last_updated_by"],
]);

/** Files that name fields without acting on them: descriptions for models, and where packages keep what. */
const NOT_CODE = /\.test\.ts$|__fixtures__|field-texts\.ts$|field-tables\.ts$/;

function sources(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return path.endsWith(".ts") && !NOT_CODE.test(path) ? [path] : [];
  });
}

/** The words of each file of these rooms, without comments and the members of interfaces: declaring a field is not reading it. */
function wordsByFile(rooms: readonly string[]): readonly ReadonlySet<string>[] {
  return rooms
    .flatMap((room) => sources(join(SRC, room)))
    .map((path) => {
      const code = readFileSync(path, "utf8")
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/(^|\s)\/\/.*$/gm, "")
        .replace(/\breadonly \w+\??:/g, "");
      const cases = [...code.matchAll(/\bcase:? "(\w+)"/g)].map(([, name]) => `case:${name}`);
      return new Set([...(code.match(/[A-Za-z_]\w*/g) ?? []), ...cases]);
    });
}

/**
 * All messages of an API below its methods. Requests and responses of standard methods are handled by their annotations, so only what they
 * hold counts. A method that is not served is UNIMPLEMENTED with its name, so nothing of its request counts.
 */
function messagesOf({ services, package: prefix }: Api, isServed: IsServed): ReadonlySet<DescMessage> {
  const found = new Set<DescMessage>();
  function add(message: DescMessage): void {
    if (!message.typeName.startsWith(prefix) || found.has(message)) return;
    found.add(message);
    addFields(message);
  }
  function addFields({ fields }: DescMessage): void {
    for (const { message } of fields) if (message) add(message);
  }
  for (const method of services.flatMap(({ methods }) => methods).filter(isServed))
    for (const message of [method.input, method.output]) classifyMethod(method) ? addFields(message) : add(message);
  return found;
}

type IsServed = (method: DescMethod) => boolean;

/**
 * Fields of an API that no code reads or sets. A field counts as read where a file has its name and also names its message, or a field that holds
 * such a message, or a method that has it as request or response. A name of several words that only one message has counts wherever it is: values are passed on.
 */
function unreadFields(api: Api, isServed: IsServed): readonly string[] {
  const messages = messagesOf(api, isServed);
  const files = wordsByFile(api.rooms);
  const all = [...messages].flatMap(({ fields }) => fields);
  const isUnique = ({ localName }: DescField) =>
    /[A-Z]/.test(localName) && all.filter((other) => other.localName === localName).length === 1;
  const unread = (field: DescField): boolean => {
    if (resourceTypeOf(field.parent) && OF_EVERY_RESOURCE.has(field.name)) return false;
    const typeName = codeName(field.parent);
    const holders = all.filter(({ message }) => message === field.parent).map(({ localName }) => localName);
    const methods = api.services
      .flatMap((service) => service.methods)
      .filter(({ input, output }) => [input, output].includes(field.parent));
    const context = [typeName, `${typeName}Schema`, ...holders, ...methods.map(({ localName }) => localName)];
    if (field.oneof && files.some((words) => words.has(`case:${field.localName}`))) return false;
    const having = files.filter((words) => words.has(field.localName) || words.has(field.name));
    return !having.some((words) => isUnique(field) || context.some((word) => words.has(word)));
  };
  return all.filter(unread).map((field) => `${field.parent.typeName.slice(api.package.length)}.${field.name}`);
}

/** The name of a message in TypeScript. */
function codeName({ parent, name }: DescMessage): string {
  return parent ? `${codeName(parent)}_${name}` : name;
}

/** The entries of docs/fields.md: the names of its tables' first column. `Message.*` is all fields of a message and of those inside it. */
function listedFields(): readonly string[] {
  const rows = readFileSync(PAGE, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  return rows.flatMap((line) => {
    const [, names = "", told = ""] = line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""));
    assert.notEqual(`${names}${told}`.trim(), "", `${line}: says nothing`);
    return [...(line.split(" | ")[0] ?? "").matchAll(/`([\w.*]+)`/g)].map(([, name = ""]) => name);
  });
}

function covers(entry: string, field: string): boolean {
  return entry.endsWith(".*") ? field.startsWith(entry.slice(0, -1)) : entry === field;
}

describe("every field of both APIs", () => {
  const listed = listedFields();
  let unread: readonly string[] = [];
  before(async () => {
    await using server = await startTestServer();
    const { registry } = server.app;
    const isServed: IsServed = ({ parent, name }) => registry.find(`/${parent.typeName}/${name}`)?.implemented === true;
    unread = APIS.flatMap((api) => unreadFields(api, isServed));
  });

  it("is read or set by code, or docs/fields.md says what becomes of it", () => {
    assert.deepEqual(
      unread.filter((field) => !listed.some((entry) => covers(entry, field))),
      [],
    );
  });

  it("is not listed in docs/fields.md when code acts on it, or when it does not exist", () => {
    assert.deepEqual(
      listed.filter((entry) => !unread.some((field) => covers(entry, field))),
      [],
    );
  });

  it("is listed once", () => {
    assert.deepEqual(
      listed.filter((entry, at) => listed.indexOf(entry) !== at),
      [],
    );
  });
});
