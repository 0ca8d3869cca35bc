const NEWLINE = 0x0a;

/**
 * An incremental reader of `text/event-stream`: bytes in, the `data` of each event out. Names, ids and comments are
 * ignored, because every provider repeats their content in the data. Lines end with LF or CRLF.
 * Source: HTML standard, section "Server-sent events".
 */
export class SseParser {
  /** Bytes after the last line end, as chunks, so that a long line is not copied with each chunk. */
  #rest: Buffer[] = [];
  #data: string | undefined;
  #begun = false;

  /** Takes the next bytes, cut anywhere, and appends the data of each event that they complete to `events`. */
  push(chunk: Buffer, events: string[]): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.#rest.push(chunk);
      return;
    }
    // A line end never falls inside a character, so whole lines can be decoded by themselves.
    let text = chunk.toString("utf8", 0, end);
    if (this.#rest.length > 0) {
      text = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString("utf8");
      this.#rest = [];
    }
    if (end < chunk.length) this.#rest.push(chunk.subarray(end));
    this.#lines(text, events);
  }

  /** Ends the stream. An event that lacks only its closing blank line counts, because some servers omit it. */
  end(events: string[]): void {
    if (this.#rest.length > 0) this.#lines(`${Buffer.concat(this.#rest).toString("utf8")}\n`, events);
    this.#rest = [];
    this.#line("", events);
  }

  #lines(text: string, events: string[]): void {
    let start = 0;
    if (!this.#begun) {
      this.#begun = true;
      if (text.charCodeAt(0) === 0xfeff) start = 1;
    }
    for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
      const last = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
      this.#line(text.slice(start, last), events);
      start = end + 1;
    }
  }

  #line(line: string, events: string[]): void {
    if (line === "") {
      // Empty data is a keep-alive of some gateways.
      if (this.#data) events.push(this.#data);
      this.#data = undefined;
    } else if (line.startsWith("data:")) {
      const value = line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    }
  }
}
