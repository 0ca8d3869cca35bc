import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { zipSync } from "fflate";
import { type DocumentKind, parseDocument } from "./parse-document.ts";
import { DocumentFault } from "./parsed-document.ts";
import { createParsers } from "./parsers.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string, kind: DocumentKind) => parseDocument(bytes(text), kind);

/** A Word document of two paragraphs, the first a heading. */
function wordDocument(more: Record<string, Uint8Array> = {}): Uint8Array {
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml";
  return zipSync({
    "[Content_Types].xml": bytes(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${type}.document.main+xml"/></Types>`,
    ),
    "_rels/.rels": bytes(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    "word/document.xml": bytes(
      '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Warranty</w:t></w:r></w:p><w:p><w:r><w:t>Two years for everything.</w:t></w:r></w:p></w:body></w:document>',
    ),
    ...more,
  });
}

/** A PDF of one page with one line. */
function pdfDocument(line: string): Uint8Array {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return bytes(
    `${text}xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`,
  );
}

describe("a document", () => {
  it("of HTML is split at its headings, and nothing of it runs", async () => {
    const html = `<html lang="en"><head><title>Delivery &amp; more</title><meta name="category" content="shipping">
      <script>throw new Error("run")</script><style>p { color: red }</style></head>
      <body><nav>Home</nav><p>Before.</p><h2>How <b>long</b></h2><p>Three days.<br>Sundays not.</p>
      <table><tr><td>Express</td><td>one day</td></tr></table></body></html>`;
    assert.deepEqual(await parse(html, "html"), [
      {
        title: "Delivery & more",
        uri: "",
        sections: [
          { heading: "", text: "Before." },
          { heading: "How long", text: "Three days.\nSundays not.\nExpress one day" },
        ],
        data: { lang_code: "en", category: "shipping" },
      },
    ]);
  });

  it("of HTML without an end or with endless nesting is parsed", async () => {
    const [deep] = await parse(`${"<div>".repeat(50_000)}found<script>`, "html");
    assert.deepEqual(deep?.sections, [{ heading: "", text: "found" }]);
  });

  it("of Markdown has its front matter as metadata and links as text", async () => {
    const markdown =
      "---\ntitle: Returns\nurl: https://shop.example/r\nprice: 5\n---\n# One\nSee [the page](https://x.example).\n```\n# no heading\n```\n## Two\n- **bold** item\n";
    assert.deepEqual(await parse(markdown, "markdown"), [
      {
        title: "Returns",
        uri: "https://shop.example/r",
        sections: [
          { heading: "One", text: "See the page.\n# no heading" },
          { heading: "Two", text: "bold item" },
        ],
        data: { title: "Returns", url: "https://shop.example/r", price: 5 },
      },
    ]);
  });

  it("of Word has its headings and paragraphs", async () => {
    assert.deepEqual(await parseDocument(wordDocument(), "docx"), [
      { title: "Warranty", uri: "", sections: [{ heading: "Warranty", text: "Two years for everything." }], data: {} },
    ]);
  });

  it("of PDF has a section for each page", async () => {
    assert.deepEqual(await parseDocument(pdfDocument("Batteries last ten hours."), "pdf"), [
      { title: "", uri: "", sections: [{ heading: "", text: "Batteries last ten hours." }], data: {} },
    ]);
  });

  it("of questions and answers is one for each row", async () => {
    const [faq] = await parse('question,answer,url\nAny boots?,"Yes, in winter",https://shop.example/b\n', "csv");
    assert.deepEqual(
      [faq?.title, faq?.uri, faq?.sections],
      ["Any boots?", "https://shop.example/b", [{ heading: "Any boots?", text: "Yes, in winter" }]],
    );
    const lines =
      '{"question":"Q1","answer":"A1"}\n\n{"id":"2","structData":{"question":"Q2","answer":"A2","lang":"en"}}\n';
    const records = await parse(lines, "jsonl");
    assert.deepEqual(
      records.map(({ title, data }) => [title, data]),
      [
        ["Q1", { question: "Q1", answer: "A1" }],
        ["Q2", { question: "Q2", answer: "A2", lang: "en" }],
      ],
    );
  });

  it("of a table has the fields of its row", async () => {
    const [row] = await parse("name\tprice\nBoot\t90\n", "tsv");
    assert.deepEqual(row, {
      title: "Boot",
      uri: "",
      sections: [{ heading: "", text: "name: Boot\nprice: 90" }],
      data: { name: "Boot", price: "90" },
    });
  });

  it("of text is decoded from UTF-8, UTF-16 and Windows-1252", async () => {
    const texts = await Promise.all(
      [bytes("Grüße"), Buffer.from("\uFEFFGrüße", "utf16le"), Buffer.from("Grüße", "latin1")].map((each) =>
        parseDocument(each, "text"),
      ),
    );
    assert.deepEqual(
      texts.map(([each]) => each?.sections[0]?.text),
      ["Grüße", "Grüße", "Grüße"],
    );
  });

  const faults: readonly (readonly [string, Uint8Array, DocumentKind, RegExp])[] = [
    ["no PDF", bytes("%PDF-1.4 and nothing else"), "pdf", /the PDF cannot be read/],
    ["no Word document", bytes("PK nothing"), "docx", /not a Word document/],
    ["a zip of something else", zipSync({ "a.txt": bytes("x") }), "docx", /not a Word document/],
    [
      "a bomb",
      wordDocument({ "word/media/bomb.bin": new Uint8Array(210 * 1024 * 1024) }),
      "docx",
      /unpacks to more than 200 MB/,
    ],
    ["an unclosed quote", bytes('a,b\n"never'), "csv", /not a table/],
    ["a broken line", bytes('{"a":1}\n{"b"'), "jsonl", /line 2 is not JSON/],
    ["a program", bytes("\u007fELF\u0000\u0000"), "text", /not a text file/],
  ];
  for (const [what, content, kind, message] of faults) {
    it(`that is ${what} is rejected with the reason`, async () => {
      await assert.rejects(
        parseDocument(content, kind),
        (error) => error instanceof DocumentFault && message.test(error.message),
      );
    });
  }
});

describe("the parser thread", () => {
  it("stops a document that takes too long, and parses the next one", async (t) => {
    const parsers = createParsers({ timeoutMs: 1_500, growth: Number.POSITIVE_INFINITY });
    t.after(() => parsers.close());
    const [first] = await parsers.parse(bytes("warm"), "text");
    assert.equal(first?.chunks[0]?.text, "warm");
    // A table of half a million cells a row, read again and again as one record, keeps the thread busy for long.
    const slow = parsers.parse(bytes(`${"a,".repeat(300_000)}\n${`${"1,".repeat(300_000)}\n`.repeat(100)}`), "csv");
    const next = parsers.parse(bytes("next"), "text");
    await assert.rejects(slow, /it takes longer than 1.5 s to read/);
    assert.deepEqual(
      (await next).map(({ chunks }) => chunks[0]?.textTerms),
      ["next"],
    );
  });

  it("stops a document that takes too much memory", async (t) => {
    const parsers = createParsers({ timeoutMs: 20_000, growth: 60 * 1024 * 1024 });
    t.after(() => parsers.close());
    const large = bytes(`${"name,text\n"}${`item,${"word ".repeat(50)}\n`.repeat(200_000)}`);
    await assert.rejects(parsers.parse(large, "csv"), /it takes too much memory to read/);
  });
});
