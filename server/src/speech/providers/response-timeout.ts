/** Time-out for a provider's response and between two pieces of it, milliseconds: the line is silent meanwhile. */
const RESPONSE_TIMEOUT_MS = 15_000;

/** Watches over the response of one call. */
interface ResponseTimeout {
  /** Aborts with the reason when nothing came in time. */
  readonly signal: AbortSignal;
  /** Passes the pieces of the response on. The time for the next one begins when it is asked for: a reader may take minutes to play the last. */
  watch<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void>;
  /** The call is over. */
  clear(): void;
}

/** Starts to wait for the first piece of a response. */
export function startResponseTimeout(): ResponseTimeout {
  const controller = new AbortController();
  const start = () =>
    setTimeout(
      () => controller.abort(new Error(`no answer in ${RESPONSE_TIMEOUT_MS / 1_000} seconds`)),
      RESPONSE_TIMEOUT_MS,
    );
  let timer = start();
  const clear = () => clearTimeout(timer);
  return {
    signal: controller.signal,
    clear,
    async *watch(pieces) {
      for await (const piece of pieces) {
        clear();
        yield piece;
        timer = start();
      }
    },
  };
}
