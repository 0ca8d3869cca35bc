/** Read-only data beside the image, by name: packed modules (`module json.tool`), time zones (`zone Europe/Berlin`, `zones`). */
export type ResourceArchive = ReadonlyMap<string, Uint8Array>;

/** A resources as one file: `u32` length of the index, the index as JSON (name to offset and length), the data. */
export function encodeArchive(resources: ResourceArchive): Uint8Array<ArrayBuffer> {
  const index: Record<string, [offset: number, length: number]> = {};
  let offset = 0;
  for (const [name, data] of resources) {
    index[name] = [offset, data.length];
    offset += data.length;
  }
  const head = new TextEncoder().encode(JSON.stringify(index));
  const file = new Uint8Array(4 + head.length + offset);
  new DataView(file.buffer).setUint32(0, head.length, true);
  file.set(head, 4);
  let position = 4 + head.length;
  for (const data of resources.values()) {
    file.set(data, position);
    position += data.length;
  }
  return file;
}

/** Reads such a file. The data are views into it. */
export function decodeArchive(file: Uint8Array): ResourceArchive {
  const start = 4 + new DataView(file.buffer, file.byteOffset).getUint32(0, true);
  const index: Record<string, [number, number]> = JSON.parse(new TextDecoder().decode(file.subarray(4, start)));
  return new Map(
    Object.entries(index).map(([name, [offset, length]]) => [
      name,
      file.subarray(start + offset, start + offset + length),
    ]),
  );
}
