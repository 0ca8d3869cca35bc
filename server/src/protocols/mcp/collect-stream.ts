import { create, type DescField, type Message } from "@bufbuild/protobuf";
import type { RegisteredMethod, Registry } from "#rpc";
import type { ToolCall } from "./tool.ts";
import { transcriptOf } from "./transcript.ts";

/** Calls the streaming variant of a method and joins its messages; undefined when there is none, or no progress was requested. */
type StreamCollector = (method: RegisteredMethod, request: Message, call: ToolCall) => Promise<Message> | undefined;

/**
 * Collects streams into one response and reports each message as progress. The streaming variant of `RunSession` is
 * `StreamRunSession`, with the same request and response.
 */
export function createStreamCollector(registry: Registry): StreamCollector {
  return (method, request, call) => {
    const stream = streamingVariantOf(registry, method);
    return stream && call.progress ? join(registry, stream, request, call) : undefined;
  };
}

function streamingVariantOf(registry: Registry, { method, revision }: RegisteredMethod): RegisteredMethod | undefined {
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
  const joined = create(stream.internalMethod.output) as Message & Record<string, unknown>;
  for await (const message of registry.stream(stream, request, context)) {
    for (const field of stream.internalMethod.output.fields) append(joined, message, field);
    for (const text of transcriptOf(message)) progress?.(text);
  }
  return joined;
}

/** Lists are appended in place: a long response has thousands of messages. */
function append(joined: Message & Record<string, unknown>, message: Message, field: DescField): void {
  const part = (message as Message & Record<string, unknown>)[field.localName];
  if (field.fieldKind === "list") (joined[field.localName] as unknown[]).push(...(part as unknown[]));
  else if (part !== undefined) joined[field.localName] = part;
}
