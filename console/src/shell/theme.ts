import { useSyncExternalStore } from "react";

/** The theme setting; "system" follows the operating system. */
export type Theme = "system" | "light" | "dark";

const KEY = "frontdesk.theme";
const listeners = new Set<() => void>();

/** The theme, and how it is changed. It is remembered in this browser. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme), writeTheme];
}

/** The theme on screen: "system" resolved by the media query. */
export function useResolvedTheme(): "light" | "dark" {
  const [theme] = useTheme();
  const system = useSyncExternalStore(subscribeSystem, () => DARK.matches);
  return theme === "system" ? (system ? "dark" : "light") : theme;
}

const DARK = window.matchMedia("(prefers-color-scheme: dark)");

function subscribeSystem(listener: () => void): () => void {
  DARK.addEventListener("change", listener);
  return () => DARK.removeEventListener("change", listener);
}

/** Puts the remembered theme on the page, before the first paint. */
export function applyTheme(): void {
  const theme = readTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

function writeTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}
