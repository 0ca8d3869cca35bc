import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Where the server listens while the page is developed with `vite`. */
const SERVER = "http://127.0.0.1:8080";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 900 },
  server: { proxy: { "^/google\\.": SERVER } },
});
