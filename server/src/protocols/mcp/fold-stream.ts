import { create, type DescField, type Message } from "@bufbuild/protobuf";
import type { RegisteredMethod, Registry } from "#rpc";
import { readable } from "./readable.ts";
import type { ToolCall } from "./tool.ts";

/** Answers a call by its streaming twin, or by the stream that the method itself is; undefined when it has none or nobody watches. */
export type FoldStream = (method: RegisteredMethod, request: Message, call: ToolCall) => Promise<Message> | undefined;

/**
 * Streams as one answer: each message that comes is told as progress, and all of them are joined. `RunSession` has the twin
 * `StreamRunSession`, with the same request and response.
 */
export function createFoldStream(registry: Registry): FoldStream {
  return (method, request, call) => {
    const stream = twinOf(registry, method);
    return stream && call.progress ? join(registry, stream, request, call) : undefined;
  };
}

function twinOf(registry: Registry, { method, revision }: RegisteredMethod): RegisteredMethod | undefined {
  return registry.methods.find(
    (each) =>
      each.implemented &&
      each.revision === revision &&
      each.method.parent === method.parent &&
      each.method.name === `Stream${method.name}` &&
      each.internalMethod.output === method.output,
  );
}

async function join(
  registry: Registry,
  stream: RegisteredMethod,
  request: Message,
  { context, progress }: ToolCall,
): Promise<Message> {
  const whole = create(stream.internalMethod.output) as Message & Record<string, unknown>;
  for await (const message of registry.stream(stream, request, context)) {
    for (const field of stream.internalMethod.output.fields) append(whole, message, field);
    for (const text of readable(message)) progress?.(text);
  }
  return whole;
}

/** Lists grow in place: a long answer comes in thousands of messages. */
function append(whole: Message & Record<string, unknown>, message: Message, field: DescField): void {
  const part = (message as Message & Record<string, unknown>)[field.localName];
  if (field.fieldKind === "list") (whole[field.localName] as unknown[]).push(...(part as unknown[]));
  else if (part !== undefined) whole[field.localName] = part;
}
