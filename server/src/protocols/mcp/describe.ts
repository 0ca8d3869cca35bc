import type { DescField, DescMethod } from "@bufbuild/protobuf";
import { FIELD_TEXTS } from "./field-texts.ts";
import type { NameFormats } from "./resource-patterns.ts";

/**
 * One sentence about an argument; undefined when its name and type say everything. Resource names in nested messages have their pattern
 * only. `brief`: all have, and fields that every list has get no text.
 */
export function describeField(
  field: DescField,
  formats: NameFormats,
  { brief = false, nested = false }: { readonly brief?: boolean; readonly nested?: boolean } = {},
): string | undefined {
  const format = formats(field);
  const bare = brief || nested;
  const named = format && (bare ? format.pattern : `Resource name of the ${words(format.noun)}: ${format.pattern}`);
  const subject = named ?? (brief && LIST_FIELDS.has(field.name) ? undefined : FIELD_TEXTS[field.name]);
  const old = field.deprecated ? "Deprecated." : undefined;
  return [subject, choiceOf(field), old].filter((text) => text !== undefined).join(" ") || undefined;
}

/** The first of several alternatives names all of them, the others name the first, to keep the list short. */
function choiceOf({ oneof, jsonName }: DescField): string | undefined {
  const [first, ...others] = oneof?.fields.map((member) => member.jsonName) ?? [];
  if (first === undefined || others.length === 0) return undefined;
  return jsonName === first ? `Set at most one of ${[first, ...others].join(", ")}.` : `Instead of ${first}.`;
}

const LIST_FIELDS: ReadonlySet<string> = new Set(["page_size", "page_token", "filter", "order_by"]);

/** What a tool does, when to use it, and, unless brief, an example of its resource name. */
export function describeTool(name: string, { input }: DescMethod, formats: NameFormats, brief = false): string {
  const subject = input.fields.find((field) => /^(name|parent|app|toolset|conversation)$/.test(field.name));
  const format = subject && formats(subject);
  const example = subject && format ? `Example ${subject.jsonName}: ${exampleName(format.pattern)}` : undefined;
  const sentences = [purpose(name, format?.noun), usage(name), brief ? undefined : example];
  return sentences.filter((text) => text !== undefined).join(" ");
}

/** What tools do whose name does not say it. */
const PURPOSES: Readonly<Record<string, string>> = {
  run_session: "Sends input to an app as its user would, and returns what the agents said and did in this turn.",
  execute_tool: "Runs one tool of an app outside a session, with arguments of your choice, and returns its result.",
  retrieve_tools: "Lists the tools that a toolset has now, with their schemas.",
  retrieve_tool_schema: "Returns the input and output schema of one tool.",
  run_evaluation: "Runs evaluations of an app in the background.",
  generate_evaluation_from_conversation: "Drafts an evaluation from a stored conversation.",
  restore_app_version: "Restores the app's draft from a stored version.",
  generate_app_resource: "Drafts a resource of an app with a model.",
  batch_delete_conversations: "Deletes several conversations of an app for good.",
  export_app: "Packs an app, or one of its versions, into a zip of configuration files.",
  import_app: "Creates or replaces an app from a zip of configuration files; you choose how conflicts are resolved.",
  get_operation: "Returns the state of a long-running operation, and its result once it is done.",
  wait_operation: "Waits until a long-running operation is done, at most for the timeout, and returns its state.",
  cancel_operation: "Cancels a long-running operation.",
  chat: "Asks a question about data in plain words and returns text, queries, rows and charts.",
  query_data: "Turns a question in plain words into a query and returns its rows.",
};

/** When to use a tool, by its verb. */
const USAGES: readonly (readonly [RegExp, string])[] = [
  [/^list_/, "Use it to find names; for the next page, pass nextPageToken as pageToken."],
  [/^get_operation$/, "Call it with the name that another tool returned, until done is true."],
  [
    /^get_conversation$/,
    "Use it when you know the name; the result can be long: fields, e.g. name,turns.messages, selects parts of it.",
  ],
  [
    /^get_(app|evaluation)$/,
    "Use it when you know the name; the result can be long: fields, e.g. name,displayName, selects parts of it.",
  ],
  [/^get_/, "Use it when you know the name."],
  [/^create_/, "Use it for what does not exist yet; get or list first when unsure."],
  [
    /^update_/,
    "Always pass updateMask with the paths to change: other fields stay as they are. Send the etag you read to be safe. Nested fields are described in the create tool.",
  ],
  [/^delete_/, "This cannot be undone; pass the etag you read, so that no concurrent change is lost."],
  [/^run_session$/, "Use the same session id again to continue a conversation."],
  [/^execute_tool$/, "Use it to test a tool; the tool really runs."],
  [/^(retrieve_)/, "Use it before execute_tool, to know the arguments."],
  [
    /^(run_evaluation|generate_evaluation|restore_app_version|export_app|import_app|batch_delete)/,
    "It returns an operation: call get_operation until it is done.",
  ],
];

function purpose(name: string, noun: string | undefined): string {
  const known = PURPOSES[name];
  if (known) return known;
  const [verb = "", ...rest] = name.split("_");
  const object = rest.join(" ");
  switch (verb) {
    case "get":
      return `Gets one ${object}.`;
    case "list":
      return `Lists the ${object}${noun ? ` of ${article(words(noun))}` : ""}.`;
    case "create":
    case "update":
    case "delete":
      return `${capital(verb)}s one ${object}.`;
    default:
      return `${capital(name.replaceAll("_", " "))}.`;
  }
}

function usage(name: string): string | undefined {
  return USAGES.find(([pattern]) => pattern.test(name))?.[1];
}

function exampleName(pattern: string): string {
  return pattern.replace(/\{(\w+)\}/g, (_, id: string) => (id === "location" ? "us" : `my-${id.replaceAll("_", "-")}`));
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

function words(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
