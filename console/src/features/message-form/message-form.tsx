import type { DescMessage, Message } from "@bufbuild/protobuf";
import { editableMembers, type Member, readMember, withMember } from "../editing/members.ts";
import { FieldEditor } from "./field-editor.tsx";
import { NestedFormProvider } from "./nested-form.ts";
import { OneofEditor } from "./oneof-editor.tsx";
import "../../styles/message-form.css";

interface MessageFormProps<Kind extends Message> {
  readonly desc: DescMessage;
  readonly value: Kind;
  readonly onChange: (next: Kind) => void;
  /** Path of the message within its resource; empty for the resource itself. */
  readonly path?: string;
  /** The properties shown, by name in the definition and in this order. Default: every one that can be set. */
  readonly only?: readonly string[];
  /** Properties that are edited elsewhere. */
  readonly except?: readonly string[];
}

/** A form for any message, generated from its definition: it has every field that a client can set. */
export function MessageForm<Kind extends Message>({
  desc,
  value,
  onChange,
  path = "",
  only,
  except = [],
}: MessageFormProps<Kind>) {
  const members = chosen(editableMembers(desc), only).filter(({ name }) => !except.includes(name));
  return (
    <NestedFormProvider value={MessageForm}>
      <div className="message-form">
        {members.map((member) => {
          const change = (next: unknown) => onChange(withMember(value, member, next));
          const shared = { value: readMember(value, member), onChange: change };
          return member.kind === "oneof" ? (
            <OneofEditor key={member.name} oneof={member} path={path} {...shared} />
          ) : (
            <FieldEditor
              key={member.name}
              field={member}
              path={path ? `${path}.${member.name}` : member.name}
              {...shared}
            />
          );
        })}
      </div>
    </NestedFormProvider>
  );
}

function chosen(members: readonly Member[], only: readonly string[] | undefined): readonly Member[] {
  if (!only) return members;
  return only.flatMap((name) => members.filter((member) => member.name === name));
}
