import { Monitor, Moon, Sun } from "lucide-react";
import { IconButton } from "../components/button.tsx";
import { type Theme, useTheme } from "./theme.ts";

const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const;
const NAMES = { system: "as the system", light: "light", dark: "dark" } as const;

/** Goes round light, dark and what the system says. */
export function ThemeButton() {
  const [theme, setTheme] = useTheme();
  const Icon = ICONS[theme];
  return (
    <IconButton label={`Theme: ${NAMES[theme]}. Change to ${NAMES[NEXT[theme]]}`} onPress={() => setTheme(NEXT[theme])}>
      <Icon size={18} aria-hidden="true" />
    </IconButton>
  );
}
