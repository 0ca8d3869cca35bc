import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AmbientSoundConfig } from "@frontdesk/protos/ces/app";
import { LRUCache } from "lru-cache";
import { CLOUD_STORAGE_URL, cloudStorageUrl, type Egress, isJsonObject, thrownMessage } from "#base";
import { type AudioChunk, readWav } from "#speech";

/** Where recordings come from. */
export interface RecordingsDeps {
  /** The egress gate. */
  readonly egress: Pick<Egress, "fetch">;
  /** Base URL of `gs://` objects; bucket and object are appended. Default Google's public one. */
  readonly storageUrl?: string | undefined;
  /** The operator's folder with `<name>.wav` for each prebuilt ambient sound. Default none. */
  readonly ambientDir?: string | undefined;
}

/** A recording that a payload of the app asks to play (SESS-16). */
export interface RecordingRequest {
  readonly uri: string;
  /** Whether the agent's next answer cancels it. Default false. */
  readonly cancellable: boolean;
  /** Whether the user may interrupt it. Default true. */
  readonly interruptible: boolean;
}

/** Loads recordings, each once. Rejects with an error that names the recording. */
export interface Recordings {
  load(uri: string): Promise<AudioChunk>;
  ambient(config: AmbientSoundConfig): Promise<AudioChunk | undefined>;
}

const TIMEOUT_MS = 10_000;
/** Three minutes of 48 kHz audio. */
const MAX_BYTES = 18 * 1024 * 1024;
/** Recordings cached per conversation. */
const MAX_CACHED = 4;

/** Creates the recording loader of one conversation. */
export function createRecordings({ egress, storageUrl = CLOUD_STORAGE_URL, ambientDir }: RecordingsDeps): Recordings {
  const cache = new LRUCache<string, Promise<AudioChunk>>({ max: MAX_CACHED });

  async function fetchSound(uri: string): Promise<AudioChunk> {
    const { status, body } = await egress.fetch({
      method: "GET",
      url: cloudStorageUrl(uri, storageUrl) ?? uri,
      headers: {},
      timeoutMs: TIMEOUT_MS,
      followRedirects: true,
      maxBytes: MAX_BYTES,
    });
    if (status !== 200) throw new Error(`the server answered ${status}`);
    return readWav(body);
  }

  function load(uri: string): Promise<AudioChunk> {
    const known = cache.get(uri);
    if (known) return known;
    const loading = fetchSound(uri).catch((error: unknown) => {
      cache.delete(uri);
      throw new Error(`The recording ${uri} cannot be played: ${thrownMessage(error)}`);
    });
    cache.set(uri, loading);
    return loading;
  }

  return {
    load,
    ambient: async ({ source }) => {
      if (source.case === "gcsUri") return load(source.value);
      const name = source.case === "prebuiltAmbientSound" ? source.value : "";
      if (name === "") return undefined;
      if (!ambientDir || !/^\w+$/.test(name))
        throw new Error(
          `The ambient sound '${name}' is not there: the operator names a folder of sounds in speech.ambient.`,
        );
      return readWav(await readFile(join(ambientDir, `${name}.wav`)));
    },
  };
}

/** Reads a payload; undefined when it asks for no recording. */
export function recordingRequest(payload: unknown): RecordingRequest | undefined {
  if (!isJsonObject(payload) || typeof payload.audioUri !== "string" || payload.audioUri === "") return undefined;
  const { audioUri: uri, cancellable, interruptable } = payload;
  return { uri, cancellable: cancellable === true, interruptible: interruptable !== false };
}
