import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { MessageSchema } from "@frontdesk/protos/ces/example";
import { createTextThreads } from "../text-search/text-threads.ts";
import type { CustomDetectors } from "./builtin-detectors.ts";
import { createBuiltinRedaction } from "./builtin-redaction.ts";
import { mapMessage } from "./map-texts.ts";
import { redactState, redactTexts } from "./redact-texts.ts";

const redactor = (custom?: CustomDetectors) => createBuiltinRedaction(custom).redactorFor(undefined, "app");

async function redacted(text: string, custom?: CustomDetectors): Promise<string | undefined> {
  const [result] = await redactor(custom).redact([text]);
  return result;
}

/** Threads that fail at once. */
const NO_THREADS = createTextThreads(async () => undefined);

const FOUND: readonly (readonly [said: string, stored: string])[] = [
  ["Write to ann.o'neil+shop@mail.example.co.uk, please.", "Write to [EMAIL_ADDRESS], please."],
  ["jörg@bücher.example!", "[EMAIL_ADDRESS]!"],
  ["My card is 4111 1111 1111 1111 12/27 123.", "My card is [CREDIT_CARD_NUMBER] 12/27 123."],
  ["Amex 3782-822463-10005", "Amex [CREDIT_CARD_NUMBER]"],
  ["5 times 5555555555554444", "5 times [CREDIT_CARD_NUMBER]"],
  ["DE89 3704 0044 0532 0130 00 is my account", "[IBAN_CODE] is my account"],
  ["iban:gb29nwbk60161331926819.", "iban:[IBAN_CODE]."],
  ["SSN 219-09-9999", "SSN [US_SOCIAL_SECURITY_NUMBER]"],
  ["NI AB 12 34 56 C", "NI [UK_NATIONAL_INSURANCE_NUMBER]"],
  ["DNI 12345678Z, NIE X1234567L", "DNI [SPAIN_DNI_NUMBER], NIE [SPAIN_NIE_NUMBER]"],
  ["NIR 2 55 08 14 168 025 38", "NIR [FRANCE_NIR]"],
  ["RSSMRA85T10A562S", "[ITALY_FISCAL_CODE]"],
  ["Steuer-ID 86095742719", "Steuer-ID [GERMANY_TAXPAYER_IDENTIFICATION_NUMBER]"],
  ["CPF 529.982.247-25", "CPF [BRAZIL_CPF_NUMBER]"],
  ["SIN 046 454 286", "SIN [CANADA_SOCIAL_INSURANCE_NUMBER]"],
  ["call +49 (0)30 123456-78 now", "call [PHONE_NUMBER] now"],
  ["(212) 555-0187 or 2125550187 or 1-212-555-0187", "[PHONE_NUMBER] or [PHONE_NUMBER] or [PHONE_NUMBER]"],
  ["mobil 0171 2345678, 07911123456", "mobil [PHONE_NUMBER], [PHONE_NUMBER]"],
];

const KEPT: readonly string[] = [
  "Order A-1001 of 2026-11-20T16:09:27Z came 04-11-2026 at 10:30.",
  "4111 1111 1111 1112 fails its check digit",
  "GB28 NWBK 6016 1331 9268 19 fails its check digits",
  "000-12-3456 and 666-12-3456 were never given out",
  "12345678A is no DNI, 529.982.247-24 no CPF, 111.111.111-11 neither",
  "550e8400-e29b-41d4-a716-446655440000 is a request id",
  "1763654967123 milliseconds, 3.14159265358979, 10.0.0.1, $1,234,567.89",
  "user@localhost and @home",
  "",
];

describe("built-in redaction", () => {
  for (const [said, stored] of FOUND)
    it(`stores "${said}" as "${stored}"`, async () => assert.equal(await redacted(said), stored));

  for (const text of KEPT) it(`keeps "${text}"`, async () => assert.equal(await redacted(text), text));

  it("finds what an operator adds, before its own kinds", async () => {
    const custom: CustomDetectors = {
      patterns: [
        { name: "ORDER", pattern: "\\bA-\\d{4}\\b" },
        { name: "STAFF", pattern: "\\w+@shop\\.example" },
      ],
      dictionaries: [{ name: "PRODUCT", words: ["Blue Lamp", "lamp", "Straße"] }],
    };
    assert.equal(
      await redacted("A-1001: the BLUE  lamp, a lamp, lamps, straße; bob@shop.example, ann@mail.example", custom),
      "[ORDER]: the [PRODUCT], a [PRODUCT], lamps, [PRODUCT]; [STAFF], [EMAIL_ADDRESS]",
    );
  });

  it("takes time linear in hostile texts", async () => {
    const hostile = [
      "a.".repeat(50_000),
      `${"1 ".repeat(50_000)}x`,
      "DE12".repeat(25_000),
      "+1".repeat(50_000),
      "0 ".repeat(50_000),
    ];
    assert.deepEqual((await redactor().redact(hostile)).length, hostile.length);
  });
});

describe("redaction of a message", () => {
  it("reaches every text and long number, and leaves names, ids, keys and times", async () => {
    const tool = { case: "tool", value: "projects/2125550187/locations/us/apps/a/tools/t" } as const;
    const message = create(MessageSchema, {
      role: "user",
      eventTime: { seconds: 2125550187n },
      chunks: [
        { data: { case: "text", value: "I am ann@mail.example" } },
        { data: { case: "transcript", value: "or bob@mail.example" } },
        {
          data: {
            case: "payload",
            value: { "ann@mail.example": ["bob@mail.example", 4111111111111111, 42, true, null] },
          },
        },
        {
          data: {
            case: "toolCall",
            value: { id: "2125550187", toolIdentifier: tool, args: { to: "ann@mail.example" } },
          },
        },
        {
          data: {
            case: "toolResponse",
            value: { id: "2125550187", toolIdentifier: tool, response: { app: tool.value } },
          },
        },
        { data: { case: "updatedVariables", value: { mail: { of: "ann@mail.example" } } } },
        { data: { case: "image", value: { mimeType: "image/png", data: new Uint8Array([1]) } } },
      ],
    });
    const expected = create(MessageSchema, {
      role: "user",
      eventTime: { seconds: 2125550187n },
      chunks: [
        { data: { case: "text", value: "I am [EMAIL_ADDRESS]" } },
        { data: { case: "transcript", value: "or [EMAIL_ADDRESS]" } },
        {
          data: {
            case: "payload",
            value: { "ann@mail.example": ["[EMAIL_ADDRESS]", "[CREDIT_CARD_NUMBER]", 42, true, null] },
          },
        },
        {
          data: {
            case: "toolCall",
            value: { id: "2125550187", toolIdentifier: tool, args: { to: "[EMAIL_ADDRESS]" } },
          },
        },
        {
          data: {
            case: "toolResponse",
            value: { id: "2125550187", toolIdentifier: tool, response: { app: tool.value } },
          },
        },
        { data: { case: "updatedVariables", value: { mail: { of: "[EMAIL_ADDRESS]" } } } },
        { data: { case: "text", value: "[IMAGE image/png]" } },
      ],
    });
    assert.deepEqual(await redactTexts(redactor(), message, mapMessage), expected);
  });

  it("covers everything in a session's state", async () => {
    const state = {
      version: 1,
      agent: "projects/p/locations/2125550187/apps/a",
      pending: [{ args: { mail: "ann@mail.example" } }],
    };
    assert.equal(
      await redactState(redactor(), JSON.stringify(state)),
      JSON.stringify({ ...state, pending: [{ args: { mail: "[EMAIL_ADDRESS]" } }] }),
    );
  });
});

describe("the redaction of long texts", () => {
  it("redacts megabytes as it redacts a sentence, in a thread (CONV-26)", async () => {
    const custom = { patterns: [{ name: "CUSTOMER_NUMBER", pattern: "C-[0-9]{6}" }] };
    const filler = "the order has two mugs and a bowl. ".repeat(30_000);
    const [text, other] = await redactor(custom).redact([`${filler}a@b.example C-123456`, "call +49 30 12345678"]);
    assert.equal(text, `${filler}[EMAIL_ADDRESS] [CUSTOMER_NUMBER]`);
    assert.equal(other, "call [PHONE_NUMBER]");
  });

  it("withholds all of them when the thread fails (CONV-26)", async () => {
    const texts = ["a".repeat(30_000), "short"];
    const failing = createBuiltinRedaction({}, NO_THREADS).redactorFor(undefined, "app");
    assert.deepEqual(await failing.redact(texts), ["[WITHHELD]", "[WITHHELD]"]);
  });
});
