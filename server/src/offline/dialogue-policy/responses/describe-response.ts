import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { verbatimSentencesIn } from "../instruction.ts";
import { toWords } from "../slots/question.ts";

/**
 * Describes a function's response in plain English sentences, from its JSON alone. A failure is reported as one. A sentence that the
 * response carries for the user (`message`, `answer`, …) is described as it is; fields are described as "The <key> is <value>".
 */
export function describeResponse(functionName: string, response: JsonObject): string {
  const failure = failureOf(response);
  if (failure !== undefined) return failure;
  const value = unwrapped(response);
  if (value === "pending") return `I have started that (${toWords(functionName)}); the result is not there yet.`;
  return clipped(describePassages(value) ?? describeValue(value, 0)) || "Done.";
}

/** Describes the result of a search without an answer of its own by its best passage; undefined for any other response. */
function describePassages(value: JsonValue): string | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.snippets) || typeof value.answer === "string") return undefined;
  const [best] = value.snippets;
  if (!isJsonObject(best)) return "I found nothing about that.";
  const [title, text] = [best.title, best.text].map((field) => (typeof field === "string" ? field.trim() : ""));
  return sentence(title && text ? `${title}: ${text}` : `${title}${text}`);
}

/** The response to context of the platform: silence of the user, an asynchronous tool that has ended (TURN-13, TOOL-18). */
export function describeContext(text: string): string | undefined {
  if (/<context>no user activity detected/i.test(text)) return "Are you still there?";
  const ended = /<context>function \[([\w-]+)\] (completed with response|failed with error) ([\s\S]*?)<\/context>/.exec(
    text,
  );
  if (ended === null) return undefined;
  const [, name = "", how, body = ""] = ended;
  const content = parsed(body);
  if (how === "failed with error")
    return describeResponse(name, {
      status: "error",
      error: isJsonObject(content) ? (content.error ?? content) : content,
    });
  return describeResponse(name, isJsonObject(content) ? content : { result: content });
}

function parsed(body: string): JsonValue {
  try {
    // What JSON.parse returns is a JSON value by definition.
    return JSON.parse(body) as JsonValue;
  } catch {
    return body.trim();
  }
}

/** Describes a failure, undefined when the response is none. A sentence that the tool itself proposes wins; a technical reason is left out. */
function failureOf(response: JsonObject): string | undefined {
  const value = unwrapped(response);
  const failed = [response, value].find(
    (candidate): candidate is JsonObject => isJsonObject(candidate) && isGiven(candidate.error),
  );
  if (failed === undefined) return undefined;
  const [advised] = typeof failed.agent_action === "string" ? verbatimSentencesIn(failed.agent_action) : [];
  if (advised !== undefined) return advised;
  if (isOfPlatform(response)) return "Sorry, that did not work.";
  const reason = isJsonObject(failed.error) ? (failed.error.message ?? failed.error) : (failed.error ?? "");
  const text = typeof reason === "string" ? reason : describeValue(reason, 1);
  if (TECHNICAL.test(text)) return "Sorry, that did not work.";
  return `Sorry, that did not work: ${sentence(clipped(text.trim().split("\n").at(-1) ?? "", 200))}`;
}

/** An exception or an HTTP error, which a user can do nothing with. */
const TECHNICAL = /^\s*Traceback\b|(?:^|\n)[\w.]*(?:Error|Exception)\b(?::|\s*$)|^HTTP \d{3}\b/;

/** The platform's own failure of a call (TOOL-4): it is about code, servers and settings. What a tool reports is beside other fields or under `result`. */
function isOfPlatform(response: JsonObject): boolean {
  return Object.keys(response).length === 2 && response.status === "error" && typeof response.error === "string";
}

/** Python results are under `result`, other tools' under `output` or `response` (PY-28, TOOL-4). */
function unwrapped(response: JsonObject): JsonValue {
  const keys = Object.keys(response);
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !["result", "output", "response"].includes(key)) return response;
  return response[key] ?? null;
}

/** Fields whose text is a ready response. */
const TEXT_FIELDS = ["message", "answer", "summary", "reply", "text", "say", "response_text"];

function describeValue(value: JsonValue, depth: number): string {
  if (value === null || value === "") return "Done: there is nothing to report.";
  if (typeof value === "boolean") return value ? "Yes." : "No.";
  if (Array.isArray(value)) return describeList(value, depth);
  if (!isJsonObject(value)) return sentence(plain(value));
  const spoken = TEXT_FIELDS.map((field) => value[field]).find(
    (text) => typeof text === "string" && /\s/.test(text.trim()),
  );
  if (typeof spoken === "string") return sentence(spoken.trim());
  return describeObject(value, depth);
}

function describeObject(value: JsonObject, depth: number): string {
  const fields = Object.entries(value).filter(([key, field]) => isGiven(field) && isForUser(key));
  if (fields.length === 0) return "Done.";
  const clauses = fields.flatMap(([key, field]) => (isNested(field) ? [] : [clause(key, field)]));
  const nested = fields.flatMap(([key, field]) => (isNested(field) ? [describeNested(key, field, depth)] : []));
  return [clauses.length > 0 ? sentence(upperFirst(joined(clauses))) : "", ...nested]
    .filter((text) => text !== "")
    .join(" ");
}

/** Keys for the agent or the program, not for the user. */
function isForUser(key: string): boolean {
  return !/^_|^agent_action$|^(?:status_code|success|ok|etag|uuid|payload)$|token|secret/i.test(key);
}

function isNested(value: JsonValue): value is JsonObject | JsonValue[] {
  return (
    isJsonObject(value) || (Array.isArray(value) && value.some((entry) => typeof entry === "object" && entry !== null))
  );
}

function describeNested(key: string, value: JsonObject | JsonValue[], depth: number): string {
  if (depth >= 3) return "";
  return `${upperFirst(toWords(key))}: ${Array.isArray(value) ? describeList(value, depth + 1) : describeObject(value, depth + 1)}`;
}

function clause(key: string, value: JsonValue): string {
  if (typeof value === "boolean") {
    const subject = toWords(key).replace(/^(?:is|has|can|was|are) /, "");
    return `${subject}: ${value ? "yes" : "no"}`;
  }
  const plural = Array.isArray(value) ? value.length > 1 : /[^sui]s$/i.test(key);
  const verb = plural ? "are" : "is";
  return `the ${toWords(key)} ${verb} ${Array.isArray(value) ? joined(value.map(plain)) : plain(value)}`;
}

/** The largest number of described entries of a list; the text gives the count of all. */
const MAX_ENTRIES = 5;

function describeList(values: readonly JsonValue[], depth: number): string {
  if (values.length === 0) return "Nothing was found.";
  if (values.every((value) => typeof value !== "object" || value === null))
    return sentence(upperFirst(joined(values.map(plain))));
  const described = values
    .slice(0, MAX_ENTRIES)
    .map((value) =>
      typeof value === "object" && value !== null ? describeValue(value, depth + 1) : sentence(plain(value)),
    );
  const rest = values.length - described.length;
  const count = values.length === 1 ? "" : `There are ${values.length}. `;
  return `${count}${described.join(" ")}${rest > 0 ? ` And ${rest} more.` : ""}`;
}

/** A scalar as written in a sentence: `IN_TRANSIT` and `in_transit` are "in transit". */
function plain(value: JsonValue): string {
  if (typeof value !== "string") return typeof value === "boolean" ? (value ? "yes" : "no") : JSON.stringify(value);
  return /^(?:[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:_[a-z]+)+)$/.test(value) ? toWords(value) : value;
}

/** Items that contain commas are separated by semicolons. */
function joined(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return items.some((item) => item.includes(","))
    ? items.join("; ")
    : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) || text === "" ? text : `${text}.`;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Limits the length of a response, which may be spoken. */
function clipped(text: string, limit = 800): string {
  return text.length <= limit ? text : `${text.slice(0, text.lastIndexOf(" ", limit))} …`;
}
