import type { Value } from "@bufbuild/protobuf/wkt";
import type { Message, Part, SendMessageRequest } from "@frontdesk/protos/a2a/a2a";
import { Role } from "@frontdesk/protos/a2a/a2a";
import { a2aError, type FieldViolation, invalidArgument } from "#status";

/** Longest id of a message, a context or a task, characters. */
const MAX_ID = 512;
/** Most parts of a message (A2A-9). */
const MAX_PARTS = 1_000;

/** Most characters of a message's texts and text files together, and most values of its data (A2A-9). */
const MAX_TEXT = 1_000_000;
const MAX_VALUES = 10_000;

/** Media types of files that agents read (A2A-8). Texts of any kind, and JSON, come besides. */
const FILE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp", "application/pdf"];
/** What a card says that messages may hold. */
export const INPUT_MODES: readonly string[] = [
  "text/plain",
  "application/json",
  "text/markdown",
  "text/html",
  "text/csv",
  ...FILE_TYPES,
];

/**
 * The message of a request. INVALID_ARGUMENT with everything that is wrong with it; CONTENT_TYPE_NOT_SUPPORTED for a file of a kind that
 * agents do not read.
 */
export function checkedMessage({ message, configuration }: SendMessageRequest): Message {
  if (!message) throw invalidArgument({ field: "message", description: "is required" });
  const violations = [
    ...messageViolations(message),
    ...sizeViolations(message),
    ...historyViolations(configuration?.historyLength, "configuration."),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
  for (const [at, part] of message.parts.entries()) checkMediaType(part, `message.parts[${at}]`);
  return message;
}

function messageViolations({ messageId, contextId, taskId, role, parts }: Message): readonly FieldViolation[] {
  const ids = { message_id: messageId, context_id: contextId, task_id: taskId };
  return [
    ...(messageId.trim() === "" ? [{ field: "message.message_id", description: "must not be blank" }] : []),
    ...Object.entries(ids).flatMap(([name, id]) => idViolations(`message.${name}`, id)),
    ...(role === Role.USER
      ? []
      : [{ field: "message.role", description: "must be ROLE_USER in a message to an agent" }]),
    ...(parts.length > MAX_PARTS
      ? [{ field: "message.parts", description: `has ${parts.length} parts; the limit is ${MAX_PARTS}` }]
      : parts.flatMap(partViolations)),
  ];
}

function idViolations(field: string, id: string): readonly FieldViolation[] {
  if (id.length > MAX_ID) return [{ field, description: `has ${id.length} characters; the limit is ${MAX_ID}` }];
  // Ids are told in logs and in addresses.
  return /\p{Cc}/u.test(id) ? [{ field, description: "must not contain control characters" }] : [];
}

/** Agents read texts, and data as text. */
function sizeViolations({ parts }: Message): readonly FieldViolation[] {
  const characters = parts.reduce((sum, part) => sum + textLength(part), 0);
  const values = parts.reduce(
    (sum, { content }) => sum + (content.case === "data" ? countValues(content.value) : 0),
    0,
  );
  const tooMany = (what: string, limit: number) => ({
    field: "message.parts",
    description: `have ${what} together; the limit is ${limit}`,
  });
  return [
    ...(characters > MAX_TEXT ? [tooMany(`${characters} characters of text`, MAX_TEXT)] : []),
    ...(values > MAX_VALUES ? [tooMany(`${values} values of data`, MAX_VALUES)] : []),
  ];
}

function textLength({ content, mediaType }: Part): number {
  if (content.case === "text" || content.case === "url") return content.value.length;
  return content.case === "raw" && isTextType(mediaType.toLowerCase()) ? content.value.length : 0;
}

/** Values of JSON, at all levels. */
function countValues(value: Value): number {
  const open = [value];
  for (let count = 0; ; count++) {
    const kind = open.pop()?.kind;
    if (!kind) return count;
    if (kind.case === "listValue") for (const item of kind.value.values) open.push(item);
    if (kind.case === "structValue") for (const item of Object.values(kind.value.fields)) open.push(item);
  }
}

function partViolations({ content }: Part, at: number): readonly FieldViolation[] {
  const field = `message.parts[${at}]`;
  if (content.case === undefined) return [{ field, description: "one of text, raw, url, data is required" }];
  if (content.case === "text" && content.value === "")
    return [{ field: `${field}.text`, description: "must not be empty" }];
  if (content.case === "url" && !isWebAddress(content.value))
    return [{ field: `${field}.url`, description: "must be an absolute URL" }];
  return [];
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url);
}

/** The length of a history is a number of messages. */
export function historyViolations(length: number | undefined, prefix = ""): readonly FieldViolation[] {
  return length !== undefined && length < 0
    ? [{ field: `${prefix}history_length`, description: `must not be negative, got ${length}` }]
    : [];
}

function checkMediaType({ content, mediaType }: Part, field: string): void {
  if (content.case !== "raw" || isReadable(mediaType)) return;
  const given = mediaType === "" ? "has none" : `is '${mediaType}'`;
  throw a2aError(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `${field}.media_type ${given}; files may be ${[...FILE_TYPES, "application/json", "text/*"].join(", ")}.`,
    { field: `${field}.media_type`, mediaType },
  );
}

function isReadable(mediaType: string): boolean {
  const [type = ""] = mediaType.toLowerCase().split(";");
  return FILE_TYPES.includes(type.trim()) || isTextType(type.trim());
}

/** Whether the bytes of a file are text. */
export function isTextType(type: string): boolean {
  return type.startsWith("text/") || type === "application/json";
}
