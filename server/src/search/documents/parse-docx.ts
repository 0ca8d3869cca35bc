import type { Readable } from "node:stream";
import { fromBuffer, type ZipFile } from "yauzl";
import { thrownMessage } from "#base";
import { parseHtml } from "./parse-html.ts";
import { DocumentFault, type ParsedDocument } from "./parsed-document.ts";

/** Limit of the unpacked size, bytes. */
const MAX_UNPACKED = 200 * 1024 * 1024;
const MAX_ENTRIES = 10_000;

/** Splits a Word document at its headings. The unpacked size is checked first, because the library does not limit it. */
export async function parseDocx(bytes: Uint8Array): Promise<ParsedDocument> {
  const buffer = Buffer.from(bytes);
  await rejectZipBomb(buffer);
  const { default: mammoth } = await import("mammoth");
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage });
    return parseHtml(value);
  } catch (error) {
    throw new DocumentFault(`it is not a Word document: ${thrownMessage(error)}`);
  }
}

/** Unpacks every entry and counts bytes, because declared sizes may be wrong. */
function rejectZipBomb(buffer: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) reject(new DocumentFault(`it is not a Word document: ${error.message}`));
      else measure(zip, resolve, reject);
    });
  });
}

function measure(zip: ZipFile, resolve: () => void, reject: (fault: DocumentFault) => void): void {
  let unpacked = 0;
  const fail = (why: string) => {
    zip.close();
    reject(new DocumentFault(why));
  };
  const count = (stream: Readable) => {
    stream.on("error", (broken: Error) => fail(`it is not a Word document: ${broken.message}`));
    stream.on("end", () => zip.readEntry());
    stream.on("data", (chunk: Buffer) => {
      unpacked += chunk.length;
      if (unpacked <= MAX_UNPACKED) return;
      stream.destroy();
      fail(`it unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MB`);
    });
  };
  zip.on("error", (error: Error) => fail(`it is not a Word document: ${error.message}`));
  zip.on("end", () => resolve());
  zip.on("entry", (entry) =>
    zip.openReadStream(entry, (error, stream) => {
      if (error) fail(`it is not a Word document: ${error.message}`);
      else count(stream);
    }),
  );
  if (zip.entryCount > MAX_ENTRIES) fail(`it has more than ${MAX_ENTRIES} parts`);
  else zip.readEntry();
}
