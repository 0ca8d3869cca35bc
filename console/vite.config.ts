import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressedFiles } from "./build/compressed-files.ts";
import { smallerDescriptors } from "./build/smaller-descriptors.ts";

/** Where the server listens while the page is developed with `vite`. */
const SERVER = "http://127.0.0.1:8080";

/** The chat widget: a script of its own, for pages of other sites. Its address is fixed. */
const WIDGET = "widget.js";

/** Files of `src/api` that the first page and most others use: in one file with what they read with, because small ones compress badly and cost a request each. */
const SHARED: ReadonlySet<string> = new Set([
  ...["access-token", "app-changes", "clients", "field-errors", "load-failures", "operations", "permissions"],
  ...["resource-names", "resource-types", "rest", "session", "status-error", "text-in-address", "tool-name"],
  ...["transport", "use-apps", "use-resources"],
]);

/** Reading with connect-query, which the first page does; writing is for later. */
const READING = /\/@connectrpc\/connect-query(-core)?\/(?!.*(mutation|infinite|suspense))/;

function isShared(path: string): boolean {
  const [, file = ""] = /\/console\/src\/api\/([\w-]+)\.ts$/.exec(path) ?? [];
  return SHARED.has(file) || READING.test(path);
}

/** Libraries of which the first page uses nearly all that any page does. */
const LIBRARIES =
  /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-|router-|query-|store|history)[\w-]*|@connectrpc\/connect(-web)?)\//;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [smallerDescriptors(), react(), classicWidget(), compressedFiles()],
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
      output: {
        entryFileNames: ({ name }) => (name === "widget" ? WIDGET : "assets/[name]-[hash].js"),
        codeSplitting: {
          // Over HTTP/1 six files come at a time: the first page took sixty.
          groups: [
            { name: "api", test: isShared, includeDependenciesRecursively: false },
            { name: "libraries", test: LIBRARIES, includeDependenciesRecursively: false },
            { name: "icons", test: /\/lucide-react\//, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { "^/(google\\.|frontdesk\\.|v1|auth/)": SERVER } },
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
