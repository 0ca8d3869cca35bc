import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";

/** Returns the message that replaces the given one: the same object when nothing changes, else a copy. */
export type Rewrite = (message: Message) => Message;

/** The rewrite of messages of one type; undefined: none of its own, its fields are visited. */
type RewriteRule = (type: DescMessage) => Rewrite | undefined;

/** Messages as plain objects, the form that protobuf-es gives them. */
type Members = Record<string, unknown>;

/**
 * Compiles a rewrite of everything that a message of this type can contain, or undefined when no rule can ever apply. Messages are
 * copied along the path to a change only; the handler's own objects are never written to.
 */
export function compileRewrite(type: DescMessage, rule: RewriteRule): Rewrite | undefined {
  const compiled = new Map<DescMessage, Rewrite>();
  const reaching = new Map<DescMessage, boolean>();

  const compile = (desc: DescMessage): Rewrite => {
    const done = compiled.get(desc);
    if (done) return done;
    const own = rule(desc);
    let inner: readonly Rewrite[] = [];
    const rewrite: Rewrite = (message) => inner.reduce((current, step) => step(current), own ? own(message) : message);
    // Before its fields, because message types may contain themselves.
    compiled.set(desc, rewrite);
    inner = desc.fields.flatMap((field) =>
      field.message && reaches(field.message) ? [fieldRewrite(field, compile(field.message))] : [],
    );
    return rewrite;
  };

  const reaches = (desc: DescMessage): boolean => {
    const known = reaching.get(desc);
    if (known !== undefined) return known;
    const found = anyReachable(desc, rule);
    reaching.set(desc, found);
    return found;
  };

  return reaches(type) ? compile(type) : undefined;
}

function anyReachable(start: DescMessage, rule: RewriteRule): boolean {
  const seen = new Set<DescMessage>([start]);
  for (const desc of seen) {
    if (rule(desc)) return true;
    for (const { message } of desc.fields) if (message) seen.add(message);
  }
  return false;
}

function fieldRewrite(field: DescField, rewrite: Rewrite): Rewrite {
  const { localName, oneof } = field;
  if (oneof) return (message) => rewriteOneof(message, oneof.localName, localName, rewrite);
  switch (field.fieldKind) {
    case "list":
      return (message) => replace(message, localName, rewriteList(member(message, localName), rewrite));
    case "map":
      return (message) => replace(message, localName, rewriteMap(member(message, localName), rewrite));
    default:
      return (message) => {
        const value = member<Message | undefined>(message, localName);
        return value ? replace(message, localName, rewrite(value)) : message;
      };
  }
}

function rewriteOneof(message: Message, oneof: string, localName: string, rewrite: Rewrite): Message {
  const choice = member<{ readonly case?: string; readonly value?: Message }>(message, oneof);
  if (choice.case !== localName || !choice.value) return message;
  const value = rewrite(choice.value);
  return value === choice.value ? message : replace(message, oneof, { case: localName, value });
}

function rewriteList(list: readonly Message[], rewrite: Rewrite): readonly Message[] {
  let changed = false;
  const items = list.map((item) => {
    const next = rewrite(item);
    changed ||= next !== item;
    return next;
  });
  return changed ? items : list;
}

function rewriteMap(map: Readonly<Record<string, Message>>, rewrite: Rewrite): Readonly<Record<string, Message>> {
  let changed = false;
  const entries = Object.entries(map).map(([key, value]): [string, Message] => {
    const next = rewrite(value);
    changed ||= next !== value;
    return [key, next];
  });
  return changed ? Object.fromEntries(entries) : map;
}

/** A copy of a message with one member replaced; the message itself when the member is already that value. */
export function replace(message: Message, localName: string, value: unknown): Message {
  const members = message as unknown as Members;
  return members[localName] === value ? message : Object.assign(copy(message), { [localName]: value });
}

/** A shallow copy that shares its members, unknown fields included. */
export function copy(message: Message): Message {
  return Object.assign(Object.create(Object.getPrototypeOf(message)) as Message, message);
}

function member<T>(message: Message, localName: string): T {
  return (message as unknown as Members)[localName] as T;
}
