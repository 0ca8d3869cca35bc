// How the search of the site ranks pages. VitePress puts it into the pages as it is, so its functions use nothing outside of themselves.

/** Words without a meaning of their own: questions are asked in whole sentences. */
export const SEARCH = {
  provider: "local",
  options: {
    miniSearch: {
      options: {
        processTerm: (term) => {
          const word = term.toLowerCase();
          const filler =
            /^(a|an|and|the|i|my|me|is|are|do|does|did|how|what|where|when|which|who|why|can|to|of|in|on|for|with|it|its|be|from|by|that|this|or|at|as|have|has|mean|means|want|there|get)$/;
          return filler.test(word) ? null : word.length > 3 ? word.replace(/(?<!s)s$/, "") : word;
        },
      },
      searchOptions: {
        fuzzy: 0.15,
        prefix: (term) => term.length > 2,
        boost: { title: 6, text: 1, titles: 2 },
        // Tasks before reference, and both before what the project wrote for itself.
        boostDocument: (id) => {
          if (/\/(repository|decisions|spec)\//.test(id)) return 0.2;
          if (/\/reference\/(errors|commands)\//.test(id)) return 0.9;
          if (/\/reference\//.test(id)) return 0.35;
          return /#/.test(id.replace(/#[^#]*$/, "")) ? 1 : 1.6;
        },
      },
    },
    /** The words that a page is looked for by are part of its first section. */
    _render: (source, env, md) => {
      const html = md.render(source, env);
      const words = env.frontmatter?.words;
      return words ? html.replace(/<\/h1>/, `</h1><p>${words}</p>`) : html;
    },
  },
};
