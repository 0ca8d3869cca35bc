import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { languageOfTag } from "./languages.ts";
import { languageOf, questionTerms, terms } from "./terms.ts";

describe("the terms of a text", () => {
  it("are lower case, without accents, and English words by their stem", () => {
    assert.deepEqual(terms("Returning Shoes: Café Ünïted 2026"), ["return", "shoe", "cafe", "unit", "2026"]);
  });

  it("are overlapping pairs where a script puts no spaces", () => {
    assert.deepEqual(terms("東京都 返品"), ["東京", "京都", "返品"]);
    assert.deepEqual(terms("반품은"), ["반품", "품은"]);
    assert.deepEqual(terms("猫"), ["猫"]);
  });

  it("are found with marks that belong to their letters", () => {
    assert.deepEqual(terms("हिंदी भाषा"), ["हिंदी", "भाषा"]);
    assert.deepEqual(terms("คืน"), ["คื", "ืน"]);
  });

  it("leave out function words unless there is nothing else", () => {
    assert.deepEqual(questionTerms("How do I return the shoes?", ["en"]), [["return", "shoe"]]);
    assert.deepEqual(questionTerms("who are you", ["en"]), [["who", "ar", "you"]]);
  });

  it("are those of each language that is searched, without the function words of any", () => {
    assert.deepEqual(questionTerms("Wie lange dauern die Lieferungen?", ["de", "en"]), [
      ["dau", "liefer"],
      ["dauern", "lieferungen"],
    ]);
  });
});

describe("the stems of a language", () => {
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
    it(`are the same for the forms of a word, with and without its accents (${language})`, () => {
      for (const group of groups)
        assert.equal(new Set(terms(group, language)).size, 1, terms(group, language).join(" "));
    });
  }
});

describe("the language of a text", () => {
  for (const [language, text] of [
    ["en", "You can send back shoes within 30 days of the order."],
    ["de", "Schuhe können innerhalb von 30 Tagen nach der Bestellung zurückgegeben werden."],
    ["fr", "Vous pouvez retourner les chaussures dans les 30 jours suivant la commande."],
    ["es", "Puede devolver los zapatos en un plazo de 30 días desde el pedido."],
    ["pt", "Você pode devolver os sapatos em até 30 dias após o pedido."],
    ["it", "Può restituire le scarpe entro 30 giorni dalla data dell'ordine."],
    ["nl", "U kunt de schoenen binnen 30 dagen na de bestelling terugsturen."],
  ] as const) {
    it(`is told by its function words (${language})`, () => assert.equal(languageOf(text), language));
  }

  it("is English where nothing tells, and a tag's whatever its region", () => {
    assert.equal(languageOf("東京 2026 XK-17"), "en");
    assert.deepEqual(["pt-BR", "DE", "tlh"].map(languageOfTag), ["pt", "de", undefined]);
  });
});
