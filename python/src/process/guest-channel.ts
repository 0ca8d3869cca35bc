import { type ChildProcess, spawn } from "node:child_process";
import { parse } from "node:path";
import { contentSize, fileChunks } from "../file-chunks.ts";
import { encodeFrame, encodeHeader, FrameType } from "../sealed/frames.ts";
import { processorTime } from "./processor-time.ts";

/** Of what a failing guest writes to standard error, this much is kept for the message. */
const ERROR_TEXT_LIMIT = 4_000;

/** How a guest process is started. */
export interface GuestCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A way to a running guest: bytes to it, bytes from it, and its end. */
export interface GuestChannel {
  send(bytes: Uint8Array): void;
  /** Sends and resolves when the guest took the bytes, which may then be used for something else; rejects when it ended. */
  deliver(bytes: Uint8Array): Promise<void>;
  /** Ends the guest at once, whatever it does. `onEnd` follows. */
  kill(): void;
  /** Processor time that the guest used so far, milliseconds; undefined where it is not known. */
  processorTime(): number | undefined;
}

export interface ChannelEvents {
  onBytes(bytes: Buffer): void;
  /** Called once. */
  onEnd(reason: string): void;
}

/**
 * Starts a guest process: pipes only, no inherited descriptors, nothing in the environment but what the command names. It has a process group of its own, so that
 * Ctrl-C in the terminal reaches this process alone, which may have calls to finish; the guest ends with this process, however that ends.
 */
export function openProcessChannel(command: GuestCommand, events: ChannelEvents): GuestChannel {
  const child = spawn(command.file, [...command.args], {
    env: { ...command.env },
    cwd: parse(command.file).root,
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    detached: process.platform !== "win32",
  });
  watch(child, events);
  return {
    send: (bytes) => void child.stdin.write(bytes),
    deliver: (bytes) =>
      new Promise((resolve, reject) => child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()))),
    kill: () => void child.kill("SIGKILL"),
    processorTime: () => (child.pid === undefined ? undefined : processorTime(child.pid)),
  };
}

function watch(child: ChildProcess, { onBytes, onEnd }: ChannelEvents): void {
  let errorText = "";
  let ended = false;
  const end = (reason: string) => {
    if (ended) return;
    ended = true;
    onEnd(errorText ? `${reason}: ${errorText.trim()}` : reason);
  };
  child.stdout?.on("data", onBytes);
  child.stderr?.on("data", (text: Buffer) => {
    if (errorText.length < ERROR_TEXT_LIMIT) errorText += text.toString().slice(0, ERROR_TEXT_LIMIT);
  });
  child.stdin?.on("error", () => {}); // a guest that died while it was written to: its end is reported by `close`
  child.on("error", (error) => end(error.message));
  child.on("close", (code, signal) => end(`the guest process ended (${signal ?? `exit code ${code}`})`));
}

/** What a guest is started with: bytes, or the path of a file. */
export type GuestAsset = Uint8Array | string;

/** Sends assets one after the other. Of a file no more is held than one piece: the next is read when the guest took the last. */
export async function sendAssets(channel: GuestChannel, assets: readonly GuestAsset[]): Promise<void> {
  for (const asset of assets) {
    if (typeof asset === "string") await sendFile(channel, asset);
    else channel.send(encodeFrame(FrameType.asset, asset));
  }
}

async function sendFile(channel: GuestChannel, path: string): Promise<void> {
  const size = await contentSize(path);
  channel.send(encodeHeader(FrameType.asset, size));
  let sent = 0;
  for await (const chunk of fileChunks(path)) {
    await channel.deliver(chunk);
    sent += chunk.length;
  }
  if (sent !== size) throw new Error(`${path} changed while it was sent to a guest`);
}
