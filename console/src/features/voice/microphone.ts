/** Sample rate of the microphone in hertz, as speech recognisers expect it. */
export const INPUT_SAMPLE_RATE_HERTZ = 16_000;

/** An open microphone. */
export interface Microphone {
  close(): void;
}

/** Opens the microphone and emits its audio as 16-bit samples, 80 ms at a time. Rejects with a message for the user. */
export async function openMicrophone(onSound: (sound: Uint8Array) => void): Promise<Microphone> {
  const stream = await askForMicrophone();
  const context = new AudioContext({ sampleRate: INPUT_SAMPLE_RATE_HERTZ });
  await context.audioWorklet.addModule("/microphone-worklet.js");
  const node = new AudioWorkletNode(context, "microphone");
  node.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => onSound(new Uint8Array(data));
  context.createMediaStreamSource(stream).connect(node);
  return {
    close() {
      for (const track of stream.getTracks()) track.stop();
      void context.close();
    },
  };
}

async function askForMicrophone(): Promise<MediaStream> {
  if (!navigator.mediaDevices)
    throw new Error("Browsers allow microphone access only on localhost or over HTTPS. Open the console that way.");
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
    });
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    throw new Error(
      name === "NotAllowedError"
        ? "Microphone access was denied. Allow it for this page, then try again."
        : "No microphone was found.",
    );
  }
}
