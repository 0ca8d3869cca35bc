// Runs beside the page, where the browser hands over sound: passes it on as 16-bit samples, 80 ms at a time.
class Microphone extends AudioWorkletProcessor {
  #samples = new Int16Array(Math.round(sampleRate * 0.08));
  #count = 0;

  process([[channel] = []]) {
    for (const value of channel ?? []) {
      this.#samples[this.#count++] = Math.max(-1, Math.min(1, value)) * 32767;
      if (this.#count < this.#samples.length) continue;
      this.port.postMessage(this.#samples.buffer, [this.#samples.buffer]);
      this.#samples = new Int16Array(Math.round(sampleRate * 0.08));
      this.#count = 0;
    }
    return true;
  }
}

registerProcessor("microphone", Microphone);
