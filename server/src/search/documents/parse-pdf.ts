import { thrownMessage } from "#base";
import { DocumentFault, MAX_CHARACTERS, type ParsedDocument, type Section } from "./parsed-document.ts";

/** Limit of pages; the rest is not indexed. */
const MAX_PAGES = 3_000;

/** The text of a PDF, one section for each page. Loads no fonts, decodes no images, runs no code of the document. */
export async function parsePdf(bytes: Uint8Array): Promise<ParsedDocument> {
  const { getDocumentProxy } = await import("unpdf");
  const pdf = await openPdf(() =>
    getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, useSystemFonts: false, verbosity: 0 }),
  );
  try {
    const sections: Section[] = [];
    let left = MAX_CHARACTERS;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && left > 0; number++) {
      const page = await pdf.getPage(number);
      const text = joinItems((await page.getTextContent()).items).slice(0, left);
      page.cleanup();
      left -= text.length;
      if (text !== "") sections.push({ heading: "", text });
    }
    const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
    return { title: titleOf(info), uri: "", sections, data: {} };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function openPdf<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw new DocumentFault(`the PDF cannot be read: ${thrownMessage(error)}`);
  }
}

function joinItems(items: readonly object[]): string {
  return items
    .map((item) => {
      if (!("str" in item)) return "";
      return "hasEOL" in item && item.hasEOL === true ? `${String(item.str)}\n` : String(item.str);
    })
    .join("")
    .trim();
}

function titleOf(info: object): string {
  return "Title" in info && typeof info.Title === "string" ? info.Title.trim() : "";
}
