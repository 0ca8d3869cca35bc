import { create, type DescField, type DescMessage, type DescOneof, equals, type Message } from "@bufbuild/protobuf";
import { fieldBehaviors } from "../message-form/field-annotations.ts";

/** One property of a message as TypeScript sees it: a field, or a oneof with all its fields. */
export type Member = DescField | DescOneof;

/** The properties that a person can set: not what the server computes, not the name, not the etag. */
export function editableMembers(desc: DescMessage): readonly Member[] {
  return desc.members.filter((member) => member.kind === "oneof" || isEditable(member));
}

/** Whether a field is the client's to set. */
export function isEditable(field: DescField): boolean {
  const { outputOnly, identifier } = fieldBehaviors(field);
  return !outputOnly && !identifier && field.name !== "etag";
}

/** A property's value. */
export function readMember(message: Message, { localName }: Member): unknown {
  return Reflect.get(message, localName);
}

/** The message with one property changed. */
export function withMember<Kind extends Message>(message: Kind, { localName }: Member, value: unknown): Kind {
  return { ...message, [localName]: value };
}

/** The properties in which two messages differ, of those that a person can set. */
export function changedMembers(desc: DescMessage, before: Message, after: Message): readonly Member[] {
  return editableMembers(desc).filter((member) => !sameMember(desc, member, before, after));
}

/** Whether two messages have the same value in one property. */
export function sameMember(desc: DescMessage, member: Member, left: Message, right: Message): boolean {
  if (readMember(left, member) === readMember(right, member)) return true;
  return equals(desc, onlyMember(desc, member, left), onlyMember(desc, member, right));
}

/** A message that has one property of another and nothing else. */
export function onlyMember(desc: DescMessage, member: Member, message: Message): Message {
  return withMember(create(desc), member, readMember(message, member));
}

/** The update mask for changed properties. A oneof is named by the field that is set, or by the one that was. */
export function maskOf(members: readonly Member[], before: Message, after: Message): readonly string[] {
  return members.flatMap((member) => {
    if (member.kind === "field") return [member.name];
    const set = caseOf(readMember(after, member)) ?? caseOf(readMember(before, member));
    const field = member.fields.find(({ localName }) => localName === set);
    return field ? [field.name] : [];
  });
}

function caseOf(value: unknown): string | undefined {
  const found = typeof value === "object" && value !== null ? Reflect.get(value, "case") : undefined;
  return typeof found === "string" ? found : undefined;
}
