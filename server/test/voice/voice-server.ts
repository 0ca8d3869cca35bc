import { nonEmptyFields } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { startDeepgramServer } from "./deepgram-server.ts";
import type { FakeProvider } from "./fake-provider.ts";

/** What the model answers to the last text that it gets. */
type Answer = (words: string) => Iterable<StreamPart> | AsyncIterable<StreamPart>;

/** A server whose recognizer recognizes the texts that it is given, and whose agent speaks in tones of 40 ms a character. */
export interface VoiceServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly provider: FakeProvider;
  readonly requests: readonly ModelRequest[];
  /** What the next utterances are understood as; "" is no words. */
  readonly understands: string[];
  answer: Answer;
  /** What the model got last, as texts. */
  lastWords(): readonly string[];
}

interface VoiceServerOptions {
  readonly storageUrl?: string;
  readonly ambientDir?: string;
  /** The provider's voices by the names that apps use. */
  readonly voices?: Readonly<Record<string, string>>;
}

export const text = (words: string): readonly StreamPart[] => [{ kind: "text-delta", text: words }];

export async function startVoiceServer({
  storageUrl,
  ambientDir,
  voices = {},
}: VoiceServerOptions = {}): Promise<VoiceServer> {
  const understands: string[] = [];
  const requests: ModelRequest[] = [];
  const state: { answer: Answer } = { answer: (words) => text(`${words}?`) };
  const model: LanguageModel = {
    label: "test/answers",
    capabilities: LLM_CAPABILITIES,
    async *stream(request) {
      requests.push(request);
      const told = wordsOf(request);
      yield* state.answer(told.at(-1) ?? "");
      yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
    },
  };
  await using opened = new AsyncDisposableStack();
  const provider = opened.use(await startDeepgramServer(() => understands.shift() ?? ""));
  const access = { type: "deepgram", baseUrl: provider.baseUrl, apiKey: "test-key" } as const;
  const server = await startTestServer({
    model,
    config: {
      egressAllow: ["127.0.0.1"],
      live: { goAwayMs: 300 },
      voice: {
        providers: { listen: { ...access, model: "nova-3" }, speak: { ...access, voice: "", voices } },
        ...nonEmptyFields({ storageUrl, ambientDir }),
      },
    },
  });
  opened.use(server);
  const owned = opened.move();
  return {
    server,
    provider,
    requests,
    understands,
    get answer() {
      return state.answer;
    },
    set answer(answer) {
      state.answer = answer;
    },
    lastWords: () => wordsOf(requests.at(-1)),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function wordsOf(request: ModelRequest | undefined): readonly string[] {
  return request?.messages.at(-1)?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) ?? [];
}
