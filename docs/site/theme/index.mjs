// VitePress's own theme with the fonts of the reader's system, our colours and the options of our search.
import { useRoute } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { nextTick, onMounted, watch } from "vue";
import { SEARCH_OPTIONS } from "../search.mjs";
import "./style.css";

// biome-ignore lint/style/noDefaultExport: VitePress reads it so
export default {
  extends: theme,
  enhanceApp({ siteData }) {
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions: SEARCH_OPTIONS };
  },
  setup() {
    // biome-ignore lint/correctness/useHookAtTopLevel: this is the setup of a component of Vue
    const route = useRoute();
    onMounted(markMain);
    watch(() => route.path, markMain);
  },
};

/** The page that says that there is no page has no main part of its own. */
async function markMain() {
  await nextTick();
  const content = document.getElementById("VPContent");
  if (content?.querySelector("main")) content.removeAttribute("role");
  else content?.setAttribute("role", "main");
}
