import type { JsonObject } from "#base";
import type { ModelRequest } from "../contract.ts";
import type { ModelCallError } from "../model-call-error.ts";

/** A request as the model takes it. */
interface FittedRequest {
  readonly request: ModelRequest;
  /** The way to ask for thinking; undefined = nothing is asked for. */
  readonly thinking: JsonObject | undefined;
  /** What the request wants of thinking, and which of the ways is in use. */
  readonly wanted: string;
  readonly way: number;
}

/** What one model takes of the settings that not every model takes (TURN-46). It learns from rejections, and forgets nothing. */
export class AcceptedSettings {
  readonly #thinking: (request: ModelRequest) => readonly JsonObject[];
  #temperature = true;
  /** The way in use, by what is wanted: a model may take one level and not another. */
  readonly #ways = new Map<string, number>();

  constructor(thinking: (request: ModelRequest) => readonly JsonObject[]) {
    this.#thinking = thinking;
  }

  fit(request: ModelRequest): FittedRequest {
    const { temperature, ...withoutTemperature } = request;
    const wanted = `${request.thinkingLevel ?? ""} ${request.thoughtSummaries ?? false}`;
    const way = this.#ways.get(wanted) ?? 0;
    const fits = this.#temperature || temperature === undefined;
    return { request: fits ? request : withoutTemperature, thinking: this.#thinking(request)[way], wanted, way };
  }

  /** The setting that the model rejected and that later requests do without; undefined when the error is about none. */
  learn({ status, message }: ModelCallError, { request, thinking, wanted, way }: FittedRequest): string | undefined {
    if (status !== 400) return undefined;
    if (thinking && /thinking|reasoning|effort/i.test(message)) {
      // Another call may have learnt it in the meantime.
      this.#ways.set(wanted, Math.max(this.#ways.get(wanted) ?? 0, way + 1));
      return `thinking ${JSON.stringify(thinking)}`;
    }
    if (request.temperature === undefined || !/\btemperature\b/i.test(message)) return undefined;
    this.#temperature = false;
    return `temperature ${request.temperature}`;
  }
}
