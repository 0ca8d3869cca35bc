import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as spanish } from "@orama/stemmers/spanish";

/** Languages with a stemmer, by ISO 639 code. Other languages are searched by unstemmed words or by bigrams. */
export type Language = "en" | "de" | "fr" | "es" | "pt" | "it" | "nl";

/** Rules of a language. Words are in lower case and without accents, because many users omit accents. */
interface LanguageRules {
  /** Stems a word (Snowball). */
  readonly stem: (word: string) => string;
  /** Restores accents that the stemmer needs, where the ending of a word implies them. */
  readonly accented?: (word: string) => string;
  /** Stop words, which also identify the language of a text. */
  readonly functionWords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export const LANGUAGES: Readonly<Record<Language, LanguageRules>> = {
  en: {
    stem: english,
    functionWords: words(
      "a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not of on or " +
        "our please should so some such tell than that the their them then there these they this to was we were what when where " +
        "which who why will with would you your about any am us",
    ),
  },
  de: {
    stem: german,
    functionWords: words(
      "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren sein bin bist wird werden " +
        "wurde hat haben habe ich du er sie es wir ihr mich mir mein meine meinen meiner dein deine sein seine unser unsere ihre ihren " +
        "wie was wer wo wann warum welche welcher welches kann konnen muss mussen soll darf will wenn als auch auf aus bei bis durch fur im " +
        "in an am ab mit nach noch nur ohne so uber um unter vom von vor zu zum zur dass man sich bitte gibt lange viel dieser diese dieses",
    ),
  },
  fr: {
    stem: french,
    accented: (word) => word.replace(/ee(s?)$/, "ée$1"),
    functionWords: words(
      "le la les l un une des du de d et ou mais ne pas n est sont etait etre suis es a ai as avons avez ont avoir je j tu il elle on nous vous " +
        "ils elles me m te t se s mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce c cet cette ces que qu qui quoi quel " +
        "quelle quels quelles comment combien quand pourquoi peut peux puis pouvez dois doit faut si au aux avec dans en par pour sans sous sur " +
        "plus y svp merci tout tous toute toutes cela ca",
    ),
  },
  es: {
    stem: spanish,
    accented: (word) => word.replace(/([cs])ion$/, "$1ión"),
    functionWords: words(
      "el la los las un una unos unas y o u pero no ni es son era ser soy esta estan estoy hay he ha han tengo tiene tienen yo tu usted el ella " +
        "nosotros ustedes ellos me te se nos mi mis su sus tus nuestro nuestra este esta esto estos estas ese esa eso que quien cual cuales como " +
        "cuando cuanto cuanta cuantos cuantas donde puedo puede pueden debo debe si de del al a ante con contra desde en entre hacia hasta para " +
        "por segun sin sobre mas muy ya lo le les favor",
    ),
  },
  pt: {
    stem: portuguese,
    accented: (word) =>
      word
        .replace(/c(ao|oes)$/, "ç$1")
        .replace(/(..)ao$/, "$1ão")
        .replace(/oes$/, "ões"),
    functionWords: words(
      "o a os as um uma uns umas e ou mas nao nem e sao era ser sou esta estao estou ha tenho tem eu tu voce ele ela nos voces eles elas me te se " +
        "meu minha meus minhas seu sua seus suas nosso nossa este esta isto esse essa isso aquele que quem qual quais como quando quanto quanta " +
        "quantos quantas onde posso pode podem devo deve se de do da dos das ao aos com contra desde em no na nos nas entre ate para por pelo " +
        "pela sem sobre mais muito ja lhe favor",
    ),
  },
  it: {
    stem: italian,
    accented: (word) => word.replace(/ita$/, "ità"),
    functionWords: words(
      "il lo la i gli le l un uno una e o ma non ne e sono era essere sei siamo c ho hai ha hanno avete io tu lui lei noi voi loro mi ti si ci vi " +
        "mio mia miei mie tuo tua suo sua suoi sue nostro nostra vostro vostra questo questa questi queste quello quella che chi cosa cui quale " +
        "quali come quando quanto quanta quanti quante dove perche posso puo possono devo deve se di del dello della dei degli delle d a al " +
        "allo alla ai agli alle da dal dalla con contro in nel nella nei per senza su sul sulla tra fra piu gia favore",
    ),
  },
  nl: {
    stem: dutch,
    functionWords: words(
      "de het een en of maar niet geen is zijn was waren ben bent wordt worden heb hebt heeft hebben ik jij je u hij zij ze wij we jullie me mij " +
        "mijn jouw uw zijn haar ons onze hun dit dat deze die er hier daar wat wie welke hoe hoeveel waar wanneer waarom kan kunnen kunt moet " +
        "moeten mag wil als aan achter af bij binnen door in met na naar nog om onder op over te tegen tot uit van vanaf voor zonder ook dan " +
        "dus alleen al veel lang",
    ),
  },
};

/** The language of a BCP 47 tag, without its region; undefined when it has no stemmer. */
export function languageOfTag(tag: string): Language | undefined {
  const code = tag.toLowerCase().split(/[-_]/, 1)[0] ?? "";
  return Object.hasOwn(LANGUAGES, code) ? (code as Language) : undefined;
}
