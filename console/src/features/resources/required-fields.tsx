import { type DescMessage, type DescOneof, isMessage, type Message } from "@bufbuild/protobuf";
import { editableMembers, type Member, readMember, withMember } from "../editing/members.ts";
import { fieldBehaviors } from "../message-form/field-annotations.ts";
import { MessageForm } from "../message-form/message-form.tsx";

/** The set field of a oneof. */
export interface Selected {
  readonly case?: string | undefined;
  readonly value?: unknown;
}

interface RequiredFieldsProps {
  /** The oneof that determines the type of the resource, e.g. `tool_type`. */
  readonly oneof: DescOneof;
  readonly selected: Selected;
  readonly onChange: (next: Selected) => void;
}

/** Fields that another control edits, or that a new resource has from the start. */
const GIVEN = new Set(["name", "python_code", "open_api_schema"]);

/** What a resource of some kind cannot be created without. */
export function RequiredFields({ oneof, selected, onChange }: RequiredFieldsProps) {
  const desc = kindOf(oneof, selected);
  if (!desc || !isMessage(selected.value)) return null;
  const only = required(desc).map(({ name }) => name);
  if (only.length === 0) return null;
  const path = oneof.fields.find(({ localName }) => localName === selected.case)?.name ?? "";
  const change = (value: Message) => onChange({ case: selected.case, value });
  return <MessageForm desc={desc} value={selected.value} onChange={change} path={path} only={only} />;
}

/** What is created: as its kind begins, with the required fields as they were filled in. */
export function withRequired(oneof: DescOneof, begun: Selected, filled: Selected): Selected {
  const desc = kindOf(oneof, begun);
  const { value } = filled;
  if (!desc || begun.case !== filled.case || !isMessage(begun.value) || !isMessage(value)) return begun;
  const merged = required(desc).reduce<Message>(
    (into, member) => withMember(into, member, readMember(value, member)),
    begun.value,
  );
  return { case: begun.case, value: merged };
}

function kindOf(oneof: DescOneof, selected: Selected): DescMessage | undefined {
  const field = oneof.fields.find(({ localName }) => localName === selected.case);
  return field?.fieldKind === "message" ? field.message : undefined;
}

function required(desc: DescMessage): readonly Member[] {
  return editableMembers(desc).filter(
    (member) => member.kind === "field" && fieldBehaviors(member).required && !GIVEN.has(member.name),
  );
}
