// The search box of VitePress says that it is a button with a list of options, in which there are fields and links. Here it is what it
// looks like: a field, and a list of links by their own text.

const BOX = /VPLocalSearchBox\.vue$/;

/** What its template says, and what it says instead. */
const CHANGES = [
  ['role="button"', 'role="search"'],
  [`:aria-owns="results?.length ? 'localsearch-list' : undefined"`, ""],
  ['aria-expanded="true"', ""],
  ['aria-haspopup="listbox"', ""],
  ['aria-labelledby="localsearch-label"', ""],
  [`:role="results?.length ? 'listbox' : undefined"`, ""],
  [`:aria-selected="selectedIndex === index ? 'true' : 'false'"`, ""],
  ['role="option"', ""],
  [`:aria-label="[...p.titles, p.title].join(' > ')"`, ""],
  [`:aria-activedescendant="selectedIndex > -1 ? ('localsearch-item-' + selectedIndex) : undefined"`, ""],
  ["<kbd :aria-label", '<kbd role="img" :aria-label'],
];

/** A plugin of Vite, before VitePress compiles its components. Throws when the component is another one than this was written for. */
export function accessibleSearch() {
  return {
    name: "accessible-search",
    enforce: "pre",
    transform(code, id) {
      if (!BOX.test(id)) return null;
      return CHANGES.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`VitePress's search box has no ${from} any more.`);
        return from.startsWith("<kbd") ? text.replaceAll(from, to) : text.replace(from, to);
      }, code);
    },
  };
}
