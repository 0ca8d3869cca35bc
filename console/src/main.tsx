import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { toStatusError } from "./api/status-error.ts";
import { transport } from "./api/transport.ts";
import { router } from "./routes/router.tsx";
import { applyTheme } from "./shell/theme.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/components.css";
import "./styles/shell.css";
import "./styles/print.css";

applyTheme();

/** Answers that stay the same when they are asked for again. */
const FINAL = new Set(["UNAUTHENTICATED", "NOT_FOUND", "PERMISSION_DENIED", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED"]);

/** Retries once. */
const retry = (failures: number, error: Error) => failures < 1 && !FINAL.has(toStatusError(error).code);

// The server may be on this machine, which a browser without a network reaches.
const queries = new QueryClient({ defaultOptions: { queries: { retry, staleTime: 5_000, networkMode: "always" } } });
const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root element");

createRoot(root).render(
  <StrictMode>
    <TransportProvider transport={transport}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </TransportProvider>
  </StrictMode>,
);
