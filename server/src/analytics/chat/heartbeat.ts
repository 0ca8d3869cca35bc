import type { Message } from "@frontdesk/protos/gda/data_chat_service";

/**
 * The same messages, and one of `beat` whenever none came for `everyMs`: clients and proxies give up on silence. When the
 * reader stops, nothing more is read from the source.
 */
export async function* withHeartbeat(
  messages: AsyncGenerator<Message, void>,
  beat: () => Message,
  everyMs: number,
): AsyncGenerator<Message, void> {
  try {
    let next = messages.next();
    for (;;) {
      const found = await within(next, everyMs);
      if (found === undefined) {
        yield beat();
        continue;
      }
      if (found.done) return;
      yield found.value;
      next = messages.next();
    }
  } finally {
    // Not awaited: a source that waits for its engine ends when its signal is aborted.
    messages.return().catch(() => undefined);
  }
}

async function within<Found>(promise: Promise<Found>, ms: number): Promise<Found | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}
