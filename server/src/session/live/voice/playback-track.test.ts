import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PlaybackTrack, type Segment } from "./playback-track.ts";

const SENTENCE: Segment = { text: "", interruptible: true, cancellable: false };
const never = new AbortController().signal;

/** A track at 1,000 samples a second: samples are milliseconds. */
function trackOf(...texts: readonly (readonly [text: string, milliseconds: number])[]) {
  const track = new PlaybackTrack(1_000, 10_000);
  for (const [text, milliseconds] of texts) {
    const fill = track.add({ ...SENTENCE, text });
    void fill.push(new Float32Array(milliseconds), never);
    fill.end();
  }
  return track;
}

describe("the pace of an answer", () => {
  it("is that of the clock, with a lead", async () => {
    const track = trackOf(["one", 800]);
    track.close();
    const waits: number[] = [];
    let now = 5_000;
    for (let packet = await track.take(80, never); packet; packet = await track.take(80, never)) {
      const wait = track.sent(packet.length, now, 240);
      waits.push(wait);
      now += wait;
    }
    assert.deepEqual(waits, [0, 0, 0, 0, 80, 80, 80, 80, 80, 80]);
    assert.equal(now, 5_480);
    assert.equal(track.busy(now), true);
    assert.equal(track.busy(5_800), false);
  });

  it("starts anew after a pause, instead of hurrying after it", async () => {
    const track = trackOf(["one", 160]);
    for (const now of [0, 0]) track.sent((await track.take(80, never))?.length ?? 0, now, 240);
    const fill = track.add({ ...SENTENCE, text: "two" });
    void fill.push(new Float32Array(800), never);
    const waits: number[] = [];
    for (let count = 0; count < 5; count++)
      waits.push(track.sent((await track.take(80, never))?.length ?? 0, 2_000, 240));
    assert.deepEqual(waits, [0, 0, 0, 0, 80]);
  });
});

describe("the part of an answer that was played", () => {
  const track = () => trackOf(["It is here.", 600], ["Take it to any shop.", 1_000]);

  async function sendAll(sent: PlaybackTrack, milliseconds: number): Promise<void> {
    for (let at = 0; at < milliseconds; at += 80) sent.sent((await sent.take(80, never))?.length ?? 0, 0, 10_000);
  }

  it("is nothing before it begins", () => {
    assert.deepEqual(track().playedBy(1_000), { text: "", milliseconds: 0 });
  });

  it("consists of whole sentences, and as many words of the last as fit", async () => {
    const sent = track();
    await sendAll(sent, 1_600);
    assert.deepEqual(sent.playedBy(300), { text: "It", milliseconds: 300 });
    assert.deepEqual(sent.playedBy(600), { text: "It is here.", milliseconds: 600 });
    assert.deepEqual(sent.playedBy(1_000), { text: "It is here. Take it", milliseconds: 1_000 });
    assert.deepEqual(sent.playedBy(9_000), { text: "It is here. Take it to any shop.", milliseconds: 1_600 });
  });

  it("is the sentence that is playing, not the one that is being sent", async () => {
    const sent = track();
    await sendAll(sent, 800);
    assert.equal(sent.segmentAt(100)?.text, "It is here.");
    assert.equal(sent.segmentAt(700)?.text, "Take it to any shop.");
  });

  it("is no more than was sent", async () => {
    const sent = track();
    await sendAll(sent, 640);
    assert.deepEqual(sent.playedBy(9_000).milliseconds, 640);
  });
});

describe("a recording that only fills a pause", () => {
  it("is cancelled, and the next segment plays at once", async () => {
    const track = new PlaybackTrack(1_000, 10_000);
    const music = track.add({ text: "", interruptible: true, cancellable: true });
    void music.push(new Float32Array(5_000), never);
    await track.take(80, never);
    assert.equal(track.cancelRecordings(), true);
    assert.equal(music.cancelled(), true);
    const fill = track.add({ ...SENTENCE, text: "Here." });
    void fill.push(Float32Array.of(0.5, 0.5), never);
    fill.end();
    assert.deepEqual(await track.take(80, never), Float32Array.of(0.5, 0.5));
  });

  it("is not reported as cancelled when nobody has heard it yet", () => {
    const track = new PlaybackTrack(1_000, 10_000);
    track.add({ text: "", interruptible: true, cancellable: true });
    assert.equal(track.cancelRecordings(), false);
  });
});

describe("audio that is synthesized faster than it is played", () => {
  it("applies backpressure", async () => {
    const track = new PlaybackTrack(1_000, 100);
    const fill = track.add({ ...SENTENCE, text: "long" });
    await fill.push(new Float32Array(80), never);
    let through = false;
    const pushed = fill.push(new Float32Array(80), never).then(() => {
      through = true;
    });
    await Promise.resolve();
    assert.equal(through, false);
    await track.take(80, never);
    await pushed;
    assert.equal(through, true);
  });
});
