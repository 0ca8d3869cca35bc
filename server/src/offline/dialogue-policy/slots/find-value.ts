import type { JsonObject, JsonValue } from "#base";
import { terms, words } from "../text/tokenizer.ts";
import { type Entity, type EntityKind, findEntities } from "./entities.ts";
import { enumValues, type Parameter, propertiesOf, shapeOf, typeOf } from "./parameter.ts";

/** The value of a parameter as a text states it, or undefined when it does not. */
export function findSlotValue(parameter: Parameter, source: SlotText): JsonValue | undefined {
  const asked = source.answers === parameter.name;
  switch (parameter.kind) {
    case "enum":
      return findEnum(parameter, source.text);
    case "boolean":
      return findBoolean(parameter, source.text, asked);
    case "number":
      return findNumber(parameter, source, asked);
    case "identifier":
      return findIdentifier(parameter, source) ?? (asked ? singleWord(source.text) : undefined);
    case "email":
    case "phone":
      return consumeEntity(source, [parameter.kind])?.value;
    case "date":
      return consumeEntity(source, ["date"])?.value ?? (asked ? answerText(source.text) : undefined);
    case "utterance":
      return source.text.trim() || undefined;
    case "name":
    case "text":
      return findFreeText(parameter, source, asked);
    case "list":
      return findList(parameter, source, asked);
    case "object":
      return findObject(parameter, source);
  }
}

/** The longest enum value all of whose words occur in the text: `changed_mind` in "I changed my mind". */
function findEnum(parameter: Parameter, text: string): JsonValue | undefined {
  const said = new Set([...words(text), ...terms(text)]);
  const matches = enumValues(parameter.schema)
    .map((value) => ({ value, parts: words(String(value)) }))
    .filter(
      ({ parts }) =>
        parts.length > 0 && parts.every((part) => said.has(part) || terms(part).some((term) => said.has(term))),
    );
  return matches.sort((left, right) => right.parts.length - left.parts.length)[0]?.value;
}

function findBoolean(parameter: Parameter, text: string, asked: boolean): boolean | undefined {
  const negative = /\b(?:no|not|nope|without|don't|do not|never|neither)\b/i.test(text);
  if (asked && (negative || /\b(?:yes|yeah|yep|sure|please|ok(?:ay)?|of course|correct|right|true)\b/i.test(text)))
    return !negative;
  const subject = terms(parameter.name);
  const said = terms(text);
  return subject.length > 0 && subject.every((term) => said.includes(term)) ? !negative : undefined;
}

/** An optional number needs its name beside it: "2 mugs" must not become a page size. */
function findNumber(parameter: Parameter, source: SlotText, asked: boolean): number | undefined {
  const labelled = labels(parameter).some((label) => words(source.text).includes(label));
  if (!asked && !parameter.required && !labelled) return undefined;
  for (const found of source.unused) {
    const value = Number(found.value);
    if (found.kind !== "number" || !fitsRange(value, parameter)) continue;
    source.unused.delete(found);
    return value;
  }
  return undefined;
}

function fitsRange(value: number, { schema }: Parameter): boolean {
  if (typeOf(schema) === "integer" && !Number.isInteger(value)) return false;
  if (typeof schema.minimum === "number" && value < schema.minimum) return false;
  return !(typeof schema.maximum === "number" && value > schema.maximum);
}

/** The value shaped like the description's example, else the one after a word of the parameter's name, else the first that has letters. */
function findIdentifier(parameter: Parameter, source: SlotText): string | undefined {
  const candidates = [...source.unused].filter(({ kind }) =>
    ["identifier", "number", "phone", "quoted"].includes(kind),
  );
  const shaped = candidates.find(({ value }) => parameter.shapes.has(shapeOf(value)));
  const labelled = candidates.find(({ start }) =>
    labels(parameter).includes(words(source.text.slice(0, start)).at(-1) ?? ""),
  );
  const found = shaped ?? labelled ?? candidates.find(({ kind }) => kind === "identifier") ?? candidates[0];
  if (found === undefined || (!parameter.required && found !== shaped && found !== labelled)) return undefined;
  source.unused.delete(found);
  return found.value;
}

function findList(parameter: Parameter, source: SlotText, asked: boolean): JsonValue | undefined {
  const [item] = propertiesOf({
    properties: { [parameter.name]: parameter.schema.items ?? {} },
    required: [parameter.name],
  });
  if (item === undefined) return undefined;
  const text = asked ? source : { ...source, answers: "" };
  const collected: JsonValue[] = [];
  for (let value = findSlotValue(item, text); value !== undefined; value = nextItem(item, text)) collected.push(value);
  return collected.length > 0 ? collected : undefined;
}

/** A further item: only values that are used up when taken can be described from the one before. */
function nextItem(item: Parameter, text: SlotText): JsonValue | undefined {
  const countable = ["number", "identifier", "email", "phone"].includes(item.kind);
  return countable && text.unused.size > 0 ? findSlotValue(item, { ...text, answers: "" }) : undefined;
}

/** An object is filled when all that it requires is stated. */
function findObject(parameter: Parameter, source: SlotText): JsonObject | undefined {
  const filled: JsonObject = {};
  for (const property of propertiesOf(parameter.schema)) {
    const value = findSlotValue(property, source);
    if (value !== undefined) filled[property.name] = value;
    else if (property.required) return undefined;
  }
  return Object.keys(filled).length > 0 ? filled : undefined;
}

/** Words of the name that may label the value: "order" and "id" for `order_id`. */
function labels(parameter: Parameter): readonly string[] {
  return words(parameter.name);
}

function singleWord(text: string): string | undefined {
  const answer = answerText(text);
  return answer !== undefined && !/\s/.test(answer) ? answer : undefined;
}

/** Quoted text, or what follows the parameter's name ("colour: red"), a name's introduction, or the whole answer when the agent asked for it. */
function findFreeText(parameter: Parameter, source: SlotText, asked: boolean): string | undefined {
  const named =
    labelledText(parameter, source.text) ??
    (parameter.kind === "name" ? introducedName(parameter, source.text) : undefined);
  if (named !== undefined) return named;
  if (asked) return isCause(parameter) ? bareText(source.text) : answerText(source.text);
  const quoted = parameter.required ? consumeEntity(source, ["quoted"])?.value : undefined;
  return quoted ?? (isCause(parameter) ? causeClause(source.text) : undefined);
}

function labelledText(parameter: Parameter, text: string): string | undefined {
  const label = parameter.name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .replace(/[^\p{L}\p{N} ]/gu, "");
  const match = new RegExp(`\\b${label}\\b\\s*(?:is|was|[:=])\\s*([^\\n.;,!?]{1,120})`, "iu").exec(text);
  return match?.[1] === undefined ? undefined : bareText(match[1]);
}

/** "my name is Ada Lovelace", "in New York": capitals mark where a name ends. */
function introducedName(parameter: Parameter, text: string): string | undefined {
  const capitalised = "(\\p{Lu}[\\p{L}'’-]*(?: \\p{Lu}[\\p{L}'’-]*)*)";
  const person = /(?:^|_)name$/i.test(parameter.name);
  const introduction = person
    ? "(?:[Mm]y name is|I am|I'm|[Tt]his is|[Cc]all me|[Ii]t's)"
    : "\\b(?:in|at|to|from|for|near|of)";
  return new RegExp(`${introduction} ${capitalised}`, "u").exec(text)?.[1];
}

function isCause(parameter: Parameter): boolean {
  return /reason|cause|why/i.test(parameter.name);
}

function causeClause(text: string): string | undefined {
  const match = /\b(?:because(?: of)?|since|as it|due to)\s+(.{3,200})$/iu.exec(text);
  return match?.[1] === undefined ? undefined : bareText(match[1]);
}

/** An answer without its introduction: "it's Ada." is "Ada". */
function answerText(text: string): string | undefined {
  return bareText(text.trim().replace(/^(?:it'?s|it is|that'?s|that is|my name is|the answer is)\s+/i, ""));
}

function bareText(text: string): string | undefined {
  const bare = text.trim().replace(/(?<![\s.!?,;])[\s.!?,;]+$/u, "");
  return bare === "" ? undefined : bare;
}

/** A text with its entities. Each entity fills one parameter at most. */
interface SlotText {
  readonly text: string;
  readonly unused: Set<Entity>;
  /** The parameter that this text answers, because the agent asked for it; then plain words are its value. */
  readonly answers?: string;
}

/** Prepares a text for `findSlotValue`. */
export function openSlotText(text: string, answers?: string): SlotText {
  return { text, unused: new Set(findEntities(text)), ...(answers === undefined ? {} : { answers }) };
}

/** Consumes the first unused entity of one of these kinds. */
function consumeEntity(source: SlotText, kinds: readonly EntityKind[]): Entity | undefined {
  const found = [...source.unused].find(({ kind }) => kinds.includes(kind));
  if (found !== undefined) source.unused.delete(found);
  return found;
}
