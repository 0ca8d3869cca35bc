import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { languageOfTag } from "./languages.ts";
import { detectLanguage, tokenize, tokenizeQuery } from "./tokenize.ts";

describe("the tokenizer", () => {
  it("lowers case, removes accents and stems English words", () => {
    assert.deepEqual(tokenize("Returning Shoes: Café Ünïted 2026"), ["return", "shoe", "cafe", "unit", "2026"]);
  });

  it("makes bigrams of scripts without spaces", () => {
    assert.deepEqual(tokenize("東京都 返品"), ["東京", "京都", "返品"]);
    assert.deepEqual(tokenize("반품은"), ["반품", "품은"]);
    assert.deepEqual(tokenize("猫"), ["猫"]);
  });

  it("keeps marks that belong to their letters", () => {
    assert.deepEqual(tokenize("हिंदी भाषा"), ["हिंदी", "भाषा"]);
    assert.deepEqual(tokenize("คืน"), ["คื", "ืน"]);
  });

  it("drops stop words of a query unless it has no others", () => {
    assert.deepEqual(tokenizeQuery("How do I return the shoes?", ["en"]), [["return", "shoe"]]);
    assert.deepEqual(tokenizeQuery("who are you", ["en"]), [["who", "ar", "you"]]);
  });

  it("tokenizes a query in each language of the documents, without stop words of any", () => {
    assert.deepEqual(tokenizeQuery("Wie lange dauern die Lieferungen?", ["de", "en"]), [
      ["dau", "liefer"],
      ["dauern", "lieferungen"],
    ]);
  });
});

describe("the stemmer of a language", () => {
  for (const [language, groups] of [
    [
      "de",
      [
        "Rückgabe RÜCKGABE ruckgabe Rückgaben",
        "Bestellung bestellungen",
        "Häuser Haus hauser",
        "Straße strasse Straßen",
      ],
    ],
    ["fr", ["remboursé rembourser remboursements remboursée remboursee", "cheval chevaux", "commandes commande"]],
    ["es", ["reclamación reclamacion reclamaciones", "devolución devoluciones devolucion", "zapato zapatos"]],
    ["pt", ["devolução devolucao devoluções devolucoes", "sapato sapatos"]],
    ["it", ["qualità qualita", "spedizione spedizioni", "rimborso rimborsi"]],
    ["nl", ["bestelling bestellingen", "schoen schoenen", "één een"]],
  ] as const) {
    it(`gives the forms of a word one stem, with and without accents (${language})`, () => {
      for (const group of groups)
        assert.equal(new Set(tokenize(group, language)).size, 1, tokenize(group, language).join(" "));
    });
  }
});

describe("language detection", () => {
  for (const [language, text] of [
    ["en", "You can send back shoes within 30 days of the order."],
    ["de", "Schuhe können innerhalb von 30 Tagen nach der Bestellung zurückgegeben werden."],
    ["fr", "Vous pouvez retourner les chaussures dans les 30 jours suivant la commande."],
    ["es", "Puede devolver los zapatos en un plazo de 30 días desde el pedido."],
    ["pt", "Você pode devolver os sapatos em até 30 dias após o pedido."],
    ["it", "Può restituire le scarpe entro 30 giorni dalla data dell'ordine."],
    ["nl", "U kunt de schoenen binnen 30 dagen na de bestelling terugsturen."],
  ] as const) {
    it(`goes by stop words (${language})`, () => assert.equal(detectLanguage(text), language));
  }

  it("falls back to English, and ignores the region of a tag", () => {
    assert.equal(detectLanguage("東京 2026 XK-17"), "en");
    assert.deepEqual(["pt-BR", "DE", "tlh"].map(languageOfTag), ["pt", "de", undefined]);
  });
});
