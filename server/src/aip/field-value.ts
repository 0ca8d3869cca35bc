import type { DescField, Message } from "@bufbuild/protobuf";

/** A oneof as generated messages have it. */
interface Oneof {
  readonly case?: string;
  readonly value?: unknown;
}

/**
 * The value of a field as the generated types have it; undefined for a member of a oneof that is not set. Read from the message itself: its
 * reflection is an object for each message in it.
 */
export function fieldValue(message: Message, { oneof, localName }: DescField): unknown {
  const members = message as unknown as Readonly<Record<string, unknown>>;
  if (!oneof) return members[localName];
  const choice = members[oneof.localName] as Oneof | undefined;
  return choice?.case === localName ? choice.value : undefined;
}
