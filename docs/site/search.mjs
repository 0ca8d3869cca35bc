// How the search of the site finds pages. The theme hands these options over in the browser: as part of the configuration VitePress would
// write the functions into the pages as text and evaluate it there, which the server's policy forbids.

import { PAGES } from "./sidebar.mjs";

/** Words without a meaning of their own: questions are asked in whole sentences. */
const FILLER = new Set(
  "a an and the i my me is are do does did how what where when which who why can could to of in on for with it its be from by that this or at as have has mean means want there get use using should must we you your see set same app apps".split(
    " ",
  ),
);

/** The words that each page is looked for by, which say more about it than those that a text or a heading happens to have. */
const WORDS = new Map([...PAGES].map(([path, { words }]) => [path, new Set(words.toLowerCase().split(/[^a-z0-9]+/))]));

/** How much more such a word weighs than a word of a section. */
const LOOKED_FOR = 6;

/** The path of a page below docs/, from the id of a section in the index: its address. */
function pageOf(id) {
  return id.replace(/^.*?\/docs\//, "").replace(/(\.html)?(#.*)?$/, "");
}

/** Options of MiniSearch for a query. */
export const SEARCH_OPTIONS = {
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  prefix: (term) => term.length > 2,
  /** A page with the word itself before pages with words that begin like it, and these before words that are spelt alike. */
  weights: { prefix: 0.3, fuzzy: 0.1 },
  boost: { title: 5, text: 1, titles: 2 },
  /** A question's words, and in the singular, which begins the plural as well. */
  processTerm(term) {
    const word = term.toLowerCase();
    if (FILLER.has(word)) return null;
    const singular = word.length > 3 ? word.replace(/(?<!s)s$/, "") : word;
    return singular === word ? word : [word, singular];
  },
  /** Tasks before reference, and both before what the project wrote for itself. The beginning of a page before its sections. */
  boostDocument(id, term, stored) {
    const isPage = stored?.titles?.length === 0;
    if (isPage && WORDS.get(pageOf(id))?.has(term)) return LOOKED_FOR;
    if (/\/(repository|decisions|spec)\//.test(id)) return 0.2;
    if (/\/reference\/(errors|commands)\//.test(id)) return isPage ? 0.9 : 0.4;
    if (/\/reference\//.test(id)) return 0.25;
    return isPage ? 2 : 1;
  },
};

/** A page as the index reads it: the words that it is looked for by are part of its first section. */
export function renderForSearch(source, env, md) {
  const html = md.render(source, env);
  const words = env.frontmatter?.words;
  return words ? html.replace(/<\/h1>/, `</h1><p>${words}</p>`) : html;
}
