/** Entry of the guest process: a blocking loop around the sealed interpreter. Runs in Deno and in Node, imports nothing else. */
import { ENDINGS, type Ending, encodeFrame, FrameType, type GuestSettings, HEADER_BYTES } from "./frames.ts";
import type { ImageMetadata } from "./image-metadata.ts";
import { dropAmbientAbilities, openProcessStreams } from "./process-streams.ts";
import { createSealedInterpreter, type SealedInterpreter } from "./sealed-interpreter.ts";
import { decodeShelf } from "./shelf.ts";
import { Stop } from "./stops.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const streams = await openProcessStreams();

const settings = JSON.parse(decoder.decode(expectFrame(FrameType.asset))) as GuestSettings;
const metadata = JSON.parse(decoder.decode(expectFrame(FrameType.asset))) as ImageMetadata;
const image = expectFrame(FrameType.asset);
const shelf = decodeShelf(expectFrame(FrameType.asset));
const wasm = expectFrame(FrameType.asset);
const module = await WebAssembly.compile(wasm);
wasm.buffer.transfer(0); // the engine keeps a copy: ours is given back now, not when the garbage is collected some day

/** Text of the current run: stream and lines, in order. */
let output: [stream: number, text: string][] = [];
let outputBytes = 0;

const interpreter = await createSealedInterpreter({
  module,
  image,
  metadata,
  maximumBytes: settings.maximumBytes,
  clocks: { now: () => performance.now(), cpu: streams.cpuMilliseconds },
  outside: { ask, print, fetch: (name) => shelf.get(name) },
});
dropAmbientAbilities();
warmUp(interpreter);
writeAll(encodeFrame(FrameType.ready));

for (;;) {
  const { type, payload } = readFrame();
  if (type === FrameType.restore) interpreter.restore();
  else if (type === FrameType.call) serve(payload);
  else streams.exit(9);
}

function serve(payload: Uint8Array): void {
  const view = new DataView(payload.buffer, payload.byteOffset);
  if (view.getUint8(4) === 1) interpreter.restore();
  output = [];
  outputBytes = 0;
  let ending: Ending = "answered";
  let body: Uint8Array;
  try {
    body = interpreter.call(payload.subarray(5), view.getUint32(0, true));
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    ending = thrown.kind;
    body = encoder.encode(thrown.message);
  }
  const printed = output.length > 0 ? encoder.encode(JSON.stringify(output)) : new Uint8Array();
  const head = new Uint8Array(9);
  const headView = new DataView(head.buffer);
  head[0] = ENDINGS.indexOf(ending);
  headView.setUint32(1, interpreter.memory().length, true);
  headView.setUint32(5, printed.length, true);
  writeAll(encodeFrame(FrameType.result, head, printed, body));
}

/** The first call makes the engine compile what every call uses; done before anybody waits. */
function warmUp(sealed: SealedInterpreter): void {
  const head = encoder.encode('{"op":"compile","filename":"warm-up.py"}');
  const source = encoder.encode("def f():\n    return 1\n");
  const request = new Uint8Array(12 + head.length + source.length);
  new Uint32Array(request.buffer, 0, 3).set([2, head.length, source.length]);
  request.set(head, 12);
  request.set(source, 12 + head.length);
  sealed.call(request, 10_000);
  sealed.restore();
}

function ask(question: Uint8Array): Uint8Array {
  writeAll(encodeFrame(FrameType.question, question));
  return expectFrame(FrameType.answer);
}

function print(stream: number, text: Uint8Array): void {
  // Empty writes would make the list grow without ever reaching the limit.
  if (text.length === 0 || outputBytes > settings.outputLimit) return;
  const left = settings.outputLimit - outputBytes;
  outputBytes += text.length;
  output.push([stream, decoder.decode(text.subarray(0, left))]);
  if (text.length > left) output.push([2, `output beyond ${settings.outputLimit} bytes was dropped\n`]);
}

function expectFrame(expected: number): Uint8Array<ArrayBuffer> {
  const { type, payload } = readFrame();
  if (type !== expected) streams.exit(9);
  return payload;
}

function readFrame(): { type: number; payload: Uint8Array<ArrayBuffer> } {
  const header = readExactly(HEADER_BYTES);
  const length = new DataView(header.buffer).getUint32(0, true);
  return { type: header[4] ?? 0, payload: readExactly(length) };
}

/** The server closing the pipe is the guest's normal end. */
function readExactly(length: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = streams.read(data.subarray(filled));
    if (count === 0) streams.exit(0);
    filled += count;
  }
  return data;
}

function writeAll(data: Uint8Array): void {
  let written = 0;
  while (written < data.length) written += streams.write(data.subarray(written));
}
