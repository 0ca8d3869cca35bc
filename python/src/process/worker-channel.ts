import { Worker } from "node:worker_threads";
import { SharedPipe } from "../sealed/shared-pipe.ts";
import type { ChannelEvents, GuestChannel } from "./guest-channel.ts";
import { GUEST_ENTRY } from "./guest-runtime.ts";

/**
 * Starts a guest in a thread of this process. The sealed interpreter is then the only isolation, so this is for development
 * and is used only when it is asked for.
 */
export function openWorkerChannel({ onBytes, onEnd }: ChannelEvents): GuestChannel {
  const pipe = new SharedPipe();
  const worker = new Worker(GUEST_ENTRY, {
    workerData: { pipe: pipe.memory },
    env: {},
    resourceLimits: { stackSizeMb: 4, maxOldGenerationSizeMb: 96 },
  });
  let ended = false;
  const end = (reason: string) => {
    if (ended) return;
    ended = true;
    onEnd(reason);
  };
  worker.on("message", (bytes: Uint8Array) => onBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
  worker.on("error", (error) => end(String(error)));
  worker.on("exit", (code) => end(`the guest thread ended (exit code ${code})`));
  return {
    send: (bytes) => pipe.write(bytes),
    deliver: async (bytes) => pipe.write(bytes),
    kill: () => void worker.terminate(),
    processorTime: () => undefined,
  };
}
