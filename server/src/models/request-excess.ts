import { ConnectError, type ErrorReason, failedPrecondition, reasonOf } from "#status";

/** Something of which a request has more than a model takes, by the words with which providers refuse it. */
interface Excess {
  readonly pattern: RegExp;
  readonly reason: string;
  readonly advice: string;
}

const TOO_LONG = "MODEL_CONTEXT_EXCEEDED";

const EXCESSES: readonly Excess[] = [
  {
    // OpenAI, Azure; Gemini speaks of declarations.
    pattern:
      /\b(tools|functions|function.?declarations)\b.{0,40}\b(array too long|too many|maximum (length|number)|at most)|(too many|at most \d+|maximum (number )?of( \d+)?) (tools|functions|function.?declarations)/is,
    reason: "MODEL_TOO_MANY_TOOLS",
    advice:
      "Give some of the agent's tools to child agents, or hide those that are not needed in a before_model callback (llm_request.config.hide_tool).",
  },
  {
    // OpenAI, vLLM, llama.cpp, LM Studio; Anthropic; Gemini.
    pattern:
      /context (length|window|size|limit)|maximum context|prompt is too long|input is too long|reduce the length of|input token count|input (tokens|length) exceeds?|too many input tokens/i,
    reason: TOO_LONG,
    advice:
      "Shorten what the agent is given (instruction, tools, responses of tools, contents in a before_model callback), or use a model with a larger context.",
  },
];

/** Statuses with which providers refuse a request for what it holds. */
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** The status error of a request that has more of something than the model takes, with what to do; undefined when the refusal is about something else. */
export function excessError(status: number, message: string, { metadata }: ErrorReason): ConnectError | undefined {
  const excess = STATUSES.has(status) ? EXCESSES.find(({ pattern }) => pattern.test(message)) : undefined;
  if (!excess) return undefined;
  const { reason, advice } = excess;
  return failedPrecondition(`${message.trimEnd().replace(/\.$/, "")}. ${advice}`, {
    reason,
    ...(metadata && { metadata }),
  });
}

/** Share of a request that is sent where the provider names no sizes. */
const DEFAULT_SHARE = 0.5;
/** What the provider counts is not known exactly, so less is sent than its numbers say. */
const MARGIN = 0.8;
const LEAST_SHARE = 0.05;

/**
 * How much of a request the model may take, from 0 to 1, when it refused the request as longer than its context: by the largest and the smallest of the
 * numbers in the provider's words, which are what was sent and what fits. Undefined for any other error.
 */
export function shareThatFits(error: unknown): number | undefined {
  if (!isContextExceeded(error)) return undefined;
  const quoted = error.rawMessage.replace(/^.*?HTTP status \d+[^:]*:/s, "");
  const numbers = [...quoted.matchAll(/\d[\d,_]{2,}/g)].map(([text]) => Number(text.replaceAll(/[,_]/g, "")));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length < 2 || least === most) return DEFAULT_SHARE;
  return Math.max(LEAST_SHARE, (least / most) * MARGIN);
}

function isContextExceeded(error: unknown): error is ConnectError {
  return error instanceof ConnectError && reasonOf(error) === TOO_LONG;
}
