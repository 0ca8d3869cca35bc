import assert from "node:assert/strict";
import { it } from "node:test";
import { languageOf } from "./language-of.ts";

it("the language of a text is found among those that it may be in", () => {
  const all = ["en-US", "es-ES", "de-DE", "fr-FR", "pt-BR", "ja-JP", "cmn-Hans-CN", "ru-RU"];
  for (const [language, text] of [
    ["en-US", "Your order is on its way. What else can I do for you?"],
    ["es-ES", "Su pedido está en camino. ¿Qué más puede hacer usted con él?"],
    ["de-DE", "Ihre Bestellung ist unterwegs. Kann ich noch etwas für Sie tun?"],
    ["fr-FR", "Votre commande est en route. Que puis-je faire pour vous ?"],
    ["pt-BR", "O seu pedido está a caminho. Você precisa de mais uma coisa?"],
    ["ja-JP", "ご注文の商品は発送済みです。"],
    ["cmn-Hans-CN", "您的订单已经发货。"],
    ["ru-RU", "Ваш заказ A-1001 в пути."],
  ] as const)
    assert.equal(languageOf(text, all), language, text);
});

it("a text whose language is not certain is in the first of them", () => {
  assert.equal(languageOf("A-1001", ["fr-FR", "en-US"]), "fr-FR");
  assert.equal(languageOf("注文 A-1001", ["en-US", "de-DE"]), "en-US");
  assert.equal(languageOf("Hello, how are you?", ["de-DE"]), "de-DE");
  assert.equal(languageOf("Hello", []), "");
});
