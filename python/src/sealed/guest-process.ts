/** Entry of the guest process: a blocking loop around the sealed interpreter. Runs in Deno and in Node, imports nothing else. */
import { FrameInput } from "./frame-input.ts";
import { ENDINGS, type Ending, encodeFrame, FrameType, type GuestSettings } from "./frames.ts";
import type { ImageMetadata } from "./image-metadata.ts";
import { PrintedOutput } from "./printed-output.ts";
import { dropAmbientAuthority, openProcessStreams } from "./process-streams.ts";
import { decodeArchive, type ResourceArchive } from "./resource-archive.ts";
import { createSealedInterpreter, type SealedInterpreter } from "./sealed-interpreter.ts";
import { Stop } from "./stops.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const streams = await openProcessStreams();
const input = new FrameInput(readSome);

const settings = JSON.parse(decoder.decode(expectFrame(FrameType.asset))) as GuestSettings;
const metadata = JSON.parse(decoder.decode(expectFrame(FrameType.asset))) as ImageMetadata;
const image = expectFrame(FrameType.asset);
const resources = decodeArchive(expectFrame(FrameType.asset));
const wasm = expectFrame(FrameType.asset);
const module = await WebAssembly.compile(wasm);
const sideModules = await compileSideModules(decodeArchive(expectFrame(FrameType.asset)));
wasm.buffer.transfer(0); // the engine keeps a copy: ours is given back now, not when the garbage is collected some day

const now = () => performance.now();
const output = new PrintedOutput(settings.outputLimit, now, writeAll);

const interpreter = await createSealedInterpreter({
  module,
  sideModules,
  image,
  metadata,
  maximumBytes: settings.maximumBytes,
  clocks: { now, cpu: streams.cpuMilliseconds },
  host: { ask, print: (stream, text) => output.print(stream, text), fetch: (name) => resources.get(name) },
});
dropAmbientAuthority();
warmUp(interpreter);
putBack();
writeAll(encodeFrame(FrameType.ready));

for (;;) {
  const { type, payload } = input.next();
  if (type === FrameType.restore) restore(payload);
  else if (type === FrameType.call) serve(payload);
  else streams.exit(9);
}

/** The operator's native modules, filed under their numbers. */
async function compileSideModules(files: ResourceArchive): Promise<WebAssembly.Module[]> {
  const modules: WebAssembly.Module[] = [];
  for (const code of files.values()) modules.push(await WebAssembly.compile(new Uint8Array(code)));
  return modules;
}

/** Answers when the server asks for that, with a payload. */
function restore(payload: Uint8Array): void {
  putBack();
  if (payload.length > 0) writeAll(encodeFrame(FrameType.ready));
}

function putBack(): void {
  interpreter.restore();
  interpreter.prepare();
}

function serve(payload: Uint8Array): void {
  const view = new DataView(payload.buffer, payload.byteOffset);
  if (view.getUint8(4) === 1) putBack();
  output.begin();
  let ending: Ending = "answered";
  let body: Uint8Array;
  try {
    body = interpreter.call(payload.subarray(5), view.getUint32(0, true));
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    ending = thrown.kind;
    body = encoder.encode(thrown.message);
  }
  const printed = output.take();
  const head = new Uint8Array(9);
  const headView = new DataView(head.buffer);
  head[0] = ENDINGS.indexOf(ending);
  headView.setUint32(1, interpreter.grownBytes(), true);
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
}

function ask(question: Uint8Array): Uint8Array {
  output.flush();
  writeAll(encodeFrame(FrameType.question, question));
  return expectFrame(FrameType.answer);
}

function expectFrame(expected: number): Uint8Array<ArrayBuffer> {
  const { type, payload } = input.next();
  if (type !== expected) streams.exit(9);
  return payload;
}

/** The server closing the pipe is the guest's normal end. */
function readSome(target: Uint8Array): number {
  return streams.read(target) || streams.exit(0);
}

function writeAll(data: Uint8Array): void {
  let written = 0;
  while (written < data.length) written += streams.write(data.subarray(written));
}
