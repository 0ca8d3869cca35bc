/** A language that the rules do not support. */
interface OtherLanguage {
  /** The reply to a question in it. */
  readonly reply: string;
}

interface Known extends OtherLanguage {
  /** Its stop words that English lacks. */
  readonly words: ReadonlySet<string>;
}

const LANGUAGES: readonly Known[] = [
  {
    words: wordsOf(
      "der die das wie viel viele wieviel wieviele welche welcher welches nach pro und oder mit ohne ist sind war waren haben hat wir uns unser unsere im letzten letzte letzter jahr monat umsatz zeige gib für von bei zum zur kunden bestellungen anzahl",
    ),
    reply:
      "Ohne Sprachmodell verstehe ich nur Fragen auf Englisch. Bitte stelle die Frage auf Englisch, zum Beispiel wie unten, oder richte ein Sprachmodell ein.",
  },
  {
    words: wordsOf(
      "le la les des du est sont quel quelle quels quelles combien par avec sans dans nous notre nos et ou chiffre affaires ventes mois année commandes clients montre donne pour qui",
    ),
    reply:
      "Sans modèle de langage, je ne comprends que les questions en anglais. Posez la question en anglais, par exemple comme ci-dessous, ou configurez un modèle de langage.",
  },
  {
    words: wordsOf(
      "el los las cuál cuáles cuántos cuántas cuánto qué por con sin en nuestro nuestra ventas mes año pedidos clientes muestra dame del y",
    ),
    reply:
      "Sin un modelo de lenguaje solo entiendo preguntas en inglés. Haga la pregunta en inglés, por ejemplo como abajo, o configure un modelo de lenguaje.",
  },
];

/** The language of a question, where at least two of its words, and a third of all, are stop words of another language. */
export function detectOtherLanguage(question: string): OtherLanguage | undefined {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scored = LANGUAGES.map((language) => ({
    language,
    hits: words.filter((word) => language.words.has(word)).length,
  }));
  const [best] = scored.toSorted((left, right) => right.hits - left.hits);
  return best && best.hits >= 2 && best.hits * 3 >= words.length ? best.language : undefined;
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
