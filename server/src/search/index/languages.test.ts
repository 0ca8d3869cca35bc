import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { prepareDocuments } from "../documents/prepare-document.ts";
import { SearchIndex } from "./search-index.ts";

/** Six short documents in each language, about the same things, and questions that use other forms of their words. */
const LIBRARY = {
  en: {
    returns: "Shoes can be returned within thirty days. The return is free of charge.",
    shipping: "We ship on weekdays. A delivery takes two days, and we tell you when it was dispatched.",
    payment: "You can pay by card or by invoice. Invoices are due after fourteen days.",
    warranty: "All products carry a warranty of two years for defects of the material.",
    hours: "Our stores are open from nine to six, and closed on Sundays and holidays.",
    account: "To delete an account, write to us. Deleting it removes all of your personal data.",
  },
  de: {
    returns: "Schuhe können innerhalb von dreißig Tagen zurückgegeben werden. Die Rückgabe ist kostenlos.",
    shipping: "Wir versenden an Werktagen. Eine Lieferung dauert zwei Tage, und wir melden den Versand.",
    payment: "Sie können mit Karte oder auf Rechnung bezahlen. Rechnungen sind nach vierzehn Tagen fällig.",
    warranty: "Alle Produkte haben zwei Jahre Garantie auf Mängel des Materials.",
    hours: "Unsere Geschäfte sind von neun bis sechs geöffnet und an Sonntagen und Feiertagen geschlossen.",
    account: "Um ein Konto zu löschen, schreiben Sie uns. Dabei werden alle persönlichen Daten gelöscht.",
  },
  fr: {
    returns: "Les chaussures peuvent être retournées dans les trente jours. Le retour est gratuit.",
    shipping: "Nous expédions les jours ouvrés. Une livraison prend deux jours, et nous annonçons l'expédition.",
    payment: "Vous pouvez payer par carte ou sur facture. Les factures sont dues après quatorze jours.",
    warranty: "Tous les produits ont une garantie de deux ans sur les défauts du matériau.",
    hours: "Nos magasins sont ouverts de neuf heures à dix-huit heures et fermés les dimanches et jours fériés.",
    account: "Pour supprimer un compte, écrivez-nous. La suppression efface toutes les données personnelles.",
  },
  es: {
    returns: "Los zapatos se pueden devolver en treinta días. La devolución es gratuita.",
    shipping: "Enviamos en días laborables. Una entrega tarda dos días y avisamos del envío.",
    payment: "Puede pagar con tarjeta o con factura. Las facturas vencen a los catorce días.",
    warranty: "Todos los productos tienen una garantía de dos años por defectos del material.",
    hours: "Nuestras tiendas abren de nueve a seis y cierran los domingos y los días festivos.",
    account: "Para eliminar una cuenta, escríbanos. La eliminación borra todos los datos personales.",
  },
  pt: {
    returns: "Os sapatos podem ser devolvidos em trinta dias. A devolução é gratuita.",
    shipping: "Enviamos em dias úteis. Uma entrega demora dois dias e avisamos do envio.",
    payment: "Você pode pagar com cartão ou com fatura. As faturas vencem em quatorze dias.",
    warranty: "Todos os produtos têm uma garantia de dois anos contra defeitos do material.",
    hours: "As nossas lojas abrem das nove às seis e fecham aos domingos e feriados.",
    account: "Para excluir uma conta, escreva para nós. A exclusão apaga todos os dados pessoais.",
  },
  it: {
    returns: "Le scarpe possono essere restituite entro trenta giorni. La restituzione è gratuita.",
    shipping: "Spediamo nei giorni feriali. Una consegna richiede due giorni e annunciamo la spedizione.",
    payment: "Potete pagare con carta o con fattura. Le fatture scadono dopo quattordici giorni.",
    warranty: "Tutti i prodotti hanno una garanzia di due anni sui difetti del materiale.",
    hours: "I nostri negozi sono aperti dalle nove alle sei e chiusi le domeniche e i giorni festivi.",
    account: "Per eliminare un account, scriveteci. L'eliminazione cancella tutti i dati personali.",
  },
  nl: {
    returns: "Schoenen kunnen binnen dertig dagen worden teruggestuurd. Een retour is gratis.",
    shipping: "Wij verzenden op werkdagen. Een levering duurt twee dagen en we melden de verzending.",
    payment: "U kunt betalen met een kaart of op factuur. Facturen vervallen na veertien dagen.",
    warranty: "Alle producten hebben twee jaar garantie op gebreken van het materiaal.",
    hours: "Onze winkels zijn open van negen tot zes en gesloten op zondagen en feestdagen.",
    account: "Om een account te verwijderen, schrijft u ons. Daarbij worden alle persoonlijke gegevens gewist.",
  },
} as const;

const QUESTIONS = {
  en: {
    returns: "returning a shoe",
    shipping: "are deliveries dispatching?",
    warranty: "defective products",
    hours: "store opening",
  },
  de: {
    returns: "Rückgaben von Schuh",
    shipping: "Wie lange dauern Lieferungen?",
    payment: "mit Karten bezahlt",
    warranty: "Garantien für ein Produkt",
    hours: "Ist das Geschäft am Sonntag geöffnet?",
    account: "Wie lösche ich meine Konten?",
  },
  fr: {
    returns: "retourner une chaussure",
    shipping: "Combien de temps prennent les livraisons ?",
    payment: "paiement par cartes",
    warranty: "garanties du produit",
    hours: "Le magasin est-il ouvert le dimanche ?",
    account: "suppressions de comptes",
  },
  es: {
    returns: "devoluciones de un zapato",
    shipping: "¿Cuánto tardan las entregas?",
    payment: "pagos con tarjetas",
    warranty: "garantias de un producto",
    hours: "¿abre la tienda el domingo?",
    account: "eliminar cuentas",
  },
  pt: {
    returns: "devolucoes de sapato",
    shipping: "Quanto demoram as entregas?",
    payment: "posso pagar com cartão?",
    warranty: "garantias do produto",
    hours: "a loja abre no domingo?",
    account: "excluir contas",
  },
  it: {
    returns: "restituzioni di una scarpa",
    shipping: "Quanto richiedono le consegne?",
    payment: "pagamento con carte",
    warranty: "garanzie del prodotto",
    hours: "il negozio è aperto la domenica?",
    account: "eliminare gli account",
  },
  nl: {
    returns: "een schoen retour",
    shipping: "Hoe lang duren leveringen?",
    payment: "betaling met kaarten",
    warranty: "hoeveel jaar garantie op een product?",
    hours: "Is de winkel op zondag open?",
    account: "accounts verwijderen",
  },
} as const;

const prepared = (text: string) =>
  prepareDocuments([{ title: "", uri: "", sections: [{ heading: "", text }], data: {} }], undefined);

async function indexOf(...languages: readonly (keyof typeof LIBRARY)[]): Promise<SearchIndex> {
  const index = new SearchIndex(":memory:");
  for (const language of languages)
    for (const [topic, text] of Object.entries(LIBRARY[language])) {
      const path = `${language}/${topic}`;
      await index.put({ path, stamp: "1" }, { uri: path, documents: prepared(text) });
    }
  return index;
}

const LANGUAGES = Object.keys(LIBRARY) as (keyof typeof LIBRARY)[];

describe("a data store", () => {
  for (const language of LANGUAGES) {
    it(`finds other forms of words (${language}), alone and among documents of all languages`, async () => {
      for (const index of [await indexOf(language), await indexOf(...LANGUAGES)]) {
        const asked = Object.entries(QUESTIONS[language]).map(([topic, query]) => [`${language}/${topic}`, query]);
        const found = asked.map(([, query = ""]) => index.search({ query, limit: 1 })[0]?.uri);
        assert.deepEqual(
          found,
          asked.map(([uri]) => uri),
        );
        index.close();
      }
    });
  }

  it("finds a word anywhere in Chinese, Japanese and Korean text", async () => {
    const index = new SearchIndex(":memory:");
    const texts = {
      zh: "所有订单均可在三十天内退货。",
      "zh-shipping": "我们在工作日发货。",
      ja: "ご注文は三十日以内に返品できます。",
      "ja-shipping": "営業日に発送します。",
      ko: "주문은 30일 이내에 반품할 수 있습니다.",
      "ko-shipping": "영업일에 발송합니다.",
    };
    for (const [path, text] of Object.entries(texts))
      await index.put({ path, stamp: "1" }, { uri: path, documents: prepared(text) });
    const first = (query: string) => index.search({ query, limit: 1 })[0]?.uri;
    assert.deepEqual(["怎么退货？", "返品の方法", "반품은 어떻게 하나요?"].map(first), ["zh", "ja", "ko"]);
    index.close();
  });
});
