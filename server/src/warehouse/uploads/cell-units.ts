import { quoteText } from "../sql-quoting.ts";

/** Units that people write behind the number of a cell: `12.5 %`, `3 kg`. Other letters may be part of a code (`12B`). */
const CELL_UNITS =
  "%|‰|°C|°F|mg|kg|g|t|tons?|tonnes?|lbs?|oz|mm|cm|km|m|mi|miles?|ft|yd|km/h|mph|m²|m2|km²|ha|m³|m3|ml|cl|dl|hl|l|liters?|litres?|gal|kwh|mwh|gwh|wh|kw|mw|w|ms|sec|secs|s|mins?|minutes?|hrs?|hours?|h|days?|d|weeks?|years?|yrs?|kb|mb|gb|tb|bytes?|pcs|pieces?|units?|kegs?|bps|ppm|kcal|kj|hz|khz|mhz|ghz|rpm|px|dpi|psi|bar"
    .split("|")
    .toSorted((left, right) => right.length - left.length)
    .join("|");

const BEHIND = `(?i)([0-9.])\\s*(${CELL_UNITS})\\.?$`;

/** SQL of the unit behind a number, in lower case; an empty text where there is none. `text`: an expression. */
export function unitOfCell(text: string): string {
  return `lower(regexp_extract(${text}, ${quoteText(BEHIND)}, 2))`;
}

/** SQL of a number without its unit; an empty text where it has another one, or none. `text`: an expression. */
export function withoutUnit(text: string, unit: string): string {
  const behind = `(?i)^(.*[0-9.])\\s*${unit.replace(/[.*+?^$()[\]{}|\\]/g, "\\$&")}\\.?$`;
  return `regexp_extract(${text}, ${quoteText(behind)}, 1)`;
}

const NOTE = /^Values are in (\S+)\.$/;

/** What the description of a column says of the unit that its cells had. */
export function unitNote(unit: string): string {
  return `Values are in ${unit}.`;
}

/** The unit that a description of a column tells; undefined where it tells none. */
export function notedUnit(description: string): string | undefined {
  return NOTE.exec(description)?.[1];
}
