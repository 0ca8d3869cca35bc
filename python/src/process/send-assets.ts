import { stat } from "node:fs/promises";
import { fileChunks } from "../file-chunks.ts";
import { encodeFrame, encodeHeader, FrameType } from "../sealed/frames.ts";
import type { GuestChannel } from "./guest-channel.ts";

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
  const { size } = await stat(path);
  channel.send(encodeHeader(FrameType.asset, size));
  let sent = 0;
  for await (const chunk of fileChunks(path)) {
    await channel.deliver(chunk);
    sent += chunk.length;
  }
  if (sent !== size) throw new Error(`${path} changed while it was sent to a guest`);
}
