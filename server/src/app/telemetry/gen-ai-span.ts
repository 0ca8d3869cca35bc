import type { JsonObject, JsonValue } from "#base";

/** A span in the semantic conventions for generative AI. */
interface GenAiSpan {
  readonly name: string;
  /** 1 internal, 3 client. */
  readonly kind: 1 | 3;
  readonly attributes: Readonly<Record<string, JsonValue | undefined>>;
  /** Texts, arguments and results: exported only when the operator enabled it. */
  readonly content: Readonly<Record<string, JsonValue | undefined>>;
  readonly error: string | undefined;
}

/** A child of a turn's root span, by its name (CONV-7), with the attribute names of the conventions where they have one. */
export function genAiSpan(name: string, attributes: JsonObject): GenAiSpan {
  const { error } = attributes;
  const base = { error: typeof error === "string" ? error : undefined };
  if (name === "LLM") return { ...base, ...chat(attributes) };
  if (name === "Tool") return { ...base, ...executeTool(attributes) };
  return { ...base, ...other(name, attributes) };
}

type Described = Omit<GenAiSpan, "error">;

function chat({ agent, model, ...more }: JsonObject): Described {
  const label = String(model ?? "");
  const slash = label.indexOf("/");
  const provider = PROVIDERS.get(label.slice(0, slash)) ?? label.slice(0, slash);
  return {
    name: `chat ${label.slice(slash + 1)}`,
    kind: 3,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      "gen_ai.system": provider, // its name before version 1.37 of the conventions; dashboards still use it
      "gen_ai.request.model": label.slice(slash + 1),
      "gen_ai.agent.name": agent,
      "gen_ai.usage.input_tokens": more["input token count"],
      "gen_ai.usage.output_tokens": more["output token count"],
      "gen_ai.response.finish_reasons": more["finish reason"] === undefined ? undefined : [more["finish reason"]],
      "frontdesk.time_to_first_chunk_ms": more["time to first chunk (ms)"],
    },
    content: {},
  };
}

/** Providers whose names differ in the conventions. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["google", "gcp.gemini"],
  ["vertex", "gcp.vertex_ai"],
]);

function executeTool({ name, agent, args, response, asynchronous }: JsonObject): Described {
  return {
    name: `execute_tool ${String(name ?? "")}`,
    kind: 1,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.agent.name": agent,
      "frontdesk.asynchronous": asynchronous,
    },
    content: { "gen_ai.tool.call.arguments": args, "gen_ai.tool.call.result": response },
  };
}

/** Attributes of callbacks, guardrails and transfers that come from the app's configuration. All others may quote a user. */
const CONFIGURED: ReadonlySet<string> = new Set([
  "name",
  "stage",
  "type",
  "guardrailType",
  "triggered",
  "target",
  "guardrail",
  "rule",
  "direction",
  "description",
]);

function other(name: string, { agent, error: _error, ...more }: JsonObject): Described {
  const subject = more.stage ?? more.name;
  const pick = (configured: boolean) =>
    Object.fromEntries(
      Object.entries(more).flatMap(([key, value]) =>
        CONFIGURED.has(key) === configured ? [[`frontdesk.${key}`, value]] : [],
      ),
    );
  return {
    name: typeof subject === "string" ? `${name.toLowerCase()} ${subject}` : name.toLowerCase(),
    kind: 1,
    attributes: { "gen_ai.agent.name": agent, ...pick(true) },
    content: pick(false),
  };
}
