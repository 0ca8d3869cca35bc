import { languageRoot } from "#base";

/** Frequent words of languages in Latin letters that are rare in the others. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    cs: words("a je to se na že si pro ale jsem jste vám vás není může děkuji dobrý prosím"),
    da: words("og er det at jeg du ikke en til med på har kan din dit vi hvad tak"),
    de: words("der die das und ist sie ihr ihre ihnen ich wir nicht mit für ein eine kann haben bitte danke auf wie"),
    en: words("the and is are you your to of for that this with what have can i we it please thanks how not my"),
    es: words("el la los las y es está usted su sus que no para una un con por puede gracias cómo qué hola tiene"),
    fi: words("ja on se että ei ole hän minä sinä voi mutta kun kiitos teidän olen mitä"),
    fr: words("le la les et est vous votre vos je nous ne pas pour une un des que avec dans pouvez merci bonjour"),
    hu: words("a az és hogy nem van ez egy is meg köszönöm kérem önnek lehet vagy"),
    id: words("dan yang di ini itu untuk dengan anda saya tidak ada bisa apa terima kasih"),
    it: words("il lo la gli le e è lei che non per una un con sono può grazie del della suo come ciao"),
    nb: words("og er det at jeg du ikke en til med på har kan din ditt vi hva takk"),
    nl: words("de het een en is u uw ik we niet met voor dat van kunt heeft dank hoe wat"),
    pl: words("i w nie na się jest to z do czy proszę dziękuję pan pani jak dla może"),
    pt: words("o a os as e é você seu sua que não para uma um com por pode obrigado obrigada está como olá"),
    ro: words("și este în nu cu pentru o un la care ce vă mulțumesc sunt poate bună"),
    sv: words("och är det att jag du inte en ett till med på har kan din ditt vi vad tack"),
    tr: words("ve bir bu için mi mı ne var değil ile size teşekkürler evet hayır lütfen nasıl"),
    vi: words("và là của có không cho bạn tôi này được những với cảm ơn xin"),
  }),
);

/** Letters that only these languages are written in, the likeliest first. Japanese comes before Chinese, whose letters it has as well. */
const SCRIPTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ["ja"]],
  [/\p{Script=Hangul}/gu, ["ko"]],
  [/\p{Script=Han}/gu, ["zh", "yue", "cmn", "ja"]],
  [/\p{Script=Arabic}/gu, ["ar", "fa", "ur"]],
  [/\p{Script=Hebrew}/gu, ["he", "iw"]],
  [/\p{Script=Cyrillic}/gu, ["ru", "uk", "bg", "sr", "kk", "mk", "be"]],
  [/\p{Script=Greek}/gu, ["el"]],
  [/\p{Script=Devanagari}/gu, ["hi", "mr", "ne"]],
  [/\p{Script=Bengali}/gu, ["bn"]],
  [/\p{Script=Tamil}/gu, ["ta"]],
  [/\p{Script=Telugu}/gu, ["te"]],
  [/\p{Script=Gujarati}/gu, ["gu"]],
  [/\p{Script=Thai}/gu, ["th"]],
];

/** Longest part of a text that is looked at, characters. */
const MAX_LOOKED_AT = 2_000;

/**
 * The language of a text among those that it may be in, as it is written there (BCP 47): by its letters, else by its most frequent words. The first of
 * `candidates` when none is likelier.
 */
export function languageOf(text: string, candidates: readonly string[]): string {
  const [usual = ""] = candidates;
  if (candidates.length < 2) return usual;
  const part = text.slice(0, MAX_LOOKED_AT);
  const script = scriptOf(part);
  if (script) {
    const likely = script.flatMap((root) => candidates.filter((code) => rootOf(code) === root));
    return likely.includes(usual) ? usual : (likely[0] ?? usual);
  }
  const said = part.toLowerCase().match(/\p{L}+/gu) ?? [];
  const scoreOf = (code: string) => {
    const known = WORDS.get(rootOf(code)) ?? [];
    return said.filter((word) => known.includes(word)).length;
  };
  return candidates.reduce((best, code) => (scoreOf(code) > scoreOf(best) ? code : best), usual);
}

/** The languages of the script that a text has more letters of than of all others together; undefined for Latin. */
function scriptOf(text: string): readonly string[] | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const kana = text.match(SCRIPTS[0]?.[0] as RegExp)?.length ?? 0;
  for (const [script, languages] of SCRIPTS) {
    const count = text.match(script)?.length ?? 0;
    // Every Japanese sentence has some kana among its Chinese letters.
    const isMost = languages.length === 1 && languages[0] === "ja" ? kana * 5 > letters : count * 2 > letters;
    if (letters > 0 && isMost) return languages;
  }
  return undefined;
}

function rootOf(code: string): string {
  return languageRoot(code).toLowerCase();
}

function words(text: string): readonly string[] {
  return text.split(" ");
}
