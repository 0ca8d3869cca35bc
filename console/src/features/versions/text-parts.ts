import { type DescMessage, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { type Member, onlyMember, readMember } from "../editing/members.ts";
import { fieldLabel, fieldLabelInSentence } from "../message-form/field-labels.ts";

/** One part of a property on both sides. */
export interface ComparedPart {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/**
 * A property of two messages as texts that can be read side by side: code and other texts of several lines each by itself, the
 * rest as JSON. Pieces that are the same are left out.
 */
export function comparedParts(
  desc: DescMessage,
  member: Member,
  before: Message,
  after: Message,
): readonly ComparedPart[] {
  const [left, right] = [textParts(desc, member, before), textParts(desc, member, after)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((label) => ({ label, before: left.get(label) ?? "", after: right.get(label) ?? "" }))
    .filter((part) => part.before !== part.after);
}

function textParts(desc: DescMessage, member: Member, message: Message): ReadonlyMap<string, string> {
  const label = fieldLabel(member.name);
  const value = readMember(message, member);
  if (typeof value === "string") return new Map(value === "" ? [] : [[label, value]]);
  const json = toJson(desc, onlyMember(desc, member, message));
  const fields = typeof json === "object" && json !== null ? Object.values(json) : [];
  const whole = member.kind === "oneof" ? json : fields[0];
  if (fields.length === 0 || whole === undefined) return new Map();
  const texts = new Map<string, string>();
  const rest = withoutTexts(whole, label, texts);
  return new Map([[label, JSON.stringify(rest, null, 2)], ...texts]);
}

/** Characters from which a text of one line is compared by itself. */
const LONG = 160;

/** A text that can be read line by line: JSON that was written without lines gets them. */
function inLines(text: string): string {
  if (text.includes("\n") || !/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The value with its longer texts replaced by a placeholder. */
function withoutTexts(value: JsonValue, path: string, texts: Map<string, string>): JsonValue {
  if (typeof value === "string") {
    if (!value.includes("\n") && value.length < LONG) return value;
    texts.set(path, inLines(value));
    return "(compared separately)";
  }
  if (Array.isArray(value)) return value.map((item, at) => withoutTexts(item, `${path} ${at + 1}`, texts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      withoutTexts(item, `${path}, ${fieldLabelInSentence(key)}`, texts),
    ]),
  );
}
