// VitePress's own theme, with our colours.
import theme from "vitepress/theme";
import "./style.css";

// biome-ignore lint/style/noDefaultExport: VitePress reads it so
export default theme;
