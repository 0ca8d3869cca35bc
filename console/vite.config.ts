import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { descriptorsWithoutHttp } from "./build/descriptors-without-http.ts";

/** Where the server listens while the page is developed with `vite`. */
const SERVER = "http://127.0.0.1:8080";

/** The chat widget: a script of its own, for pages of other sites. Its address is fixed. */
const WIDGET = "widget.js";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [descriptorsWithoutHttp(), react(), classicWidget()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input: {
        console: `${import.meta.dirname}/index.html`,
        widget: `${import.meta.dirname}/src/widget/widget.ts`,
      },
      output: { entryFileNames: ({ name }) => (name === "widget" ? WIDGET : "assets/[name]-[hash].js") },
    },
  },
  server: { proxy: { "^/google\\.": SERVER } },
});

/**
 * Makes the widget a classic script that leaves no name behind. As a module it would be fetched with CORS, which a page may not
 * get before its operator was asked.
 */
function classicWidget(): Plugin {
  return {
    name: "classic-widget",
    enforce: "post",
    generateBundle(_options, bundle) {
      const chunk = bundle[WIDGET];
      if (chunk?.type !== "chunk") return;
      if (chunk.imports.length > 0) this.error(`the widget is one file, but it shares ${chunk.imports.join(", ")}`);
      chunk.code = `(()=>{${chunk.code.trim()}\n})();\n`;
    },
  };
}
