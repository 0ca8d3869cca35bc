import type { ModelRequest, StreamPart } from "../../contract.ts";
import type { Attempt } from "../../retry.ts";
import { functionNames } from "../shared/function-calls.ts";
import { toCallOptions } from "./convert-prompt.ts";
import { AiSdkResponseReader } from "./convert-stream.ts";
import type { AiSdkLanguageModel, AiSdkStreamPart } from "./provider-interface.ts";

/** Calls the model for a stream. Rejects with whatever the package throws. */
export async function openStreamAttempt(
  model: AiSdkLanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Attempt> {
  const names = functionNames(request.tools);
  const target = { version: model.specificationVersion, names };
  const { stream } = await model.doStream(toCallOptions(request, target, signal));
  return new StreamAttempt(stream.getReader(), new AiSdkResponseReader(names, request.thoughtSummaries ?? false));
}

/** Calls the model for a whole answer. */
export async function openWholeAttempt(
  model: AiSdkLanguageModel,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Attempt> {
  const names = functionNames(request.tools);
  const result = await model.doGenerate(toCallOptions(request, { version: model.specificationVersion, names }, signal));
  const parts: StreamPart[] = [];
  new AiSdkResponseReader(names, request.thoughtSummaries ?? false).whole(result, parts);
  const batches = [parts];
  return { read: async () => batches.pop(), close: () => undefined };
}

class StreamAttempt implements Attempt {
  readonly #stream: ReadableStreamDefaultReader<AiSdkStreamPart>;
  readonly #reader: AiSdkResponseReader;
  #done = false;

  constructor(stream: ReadableStreamDefaultReader<AiSdkStreamPart>, reader: AiSdkResponseReader) {
    this.#stream = stream;
    this.#reader = reader;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    const parts: StreamPart[] = [];
    while (parts.length === 0 && !this.#done) {
      const { value, done } = await this.#stream.read();
      if (value) this.#reader.read(value, parts);
      if (done) {
        this.#done = true;
        this.#reader.end(parts);
      }
    }
    return parts.length > 0 ? parts : undefined;
  }

  close(): void {
    if (this.#done) return;
    // Cancelling makes the package close its socket. The call is over, so a failure to cancel has no consequence.
    this.#stream.cancel().catch(() => undefined);
  }
}
