import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const DATA = join(dirname(fileURLToPath(import.meta.resolve("vega-datasets"))), "../data");

/** Tables of a published collection of data sets, none of which was made for this server, by their files. */
export const VEGA_TABLES: Readonly<Record<string, string>> = {
  airports: "airports.csv",
  barley: "barley.json",
  birdstrikes: "birdstrikes.csv",
  budgets: "budgets.json",
  burtin: "burtin.json",
  cars: "cars.json",
  co2_concentration: "co2-concentration.csv",
  disasters: "disasters.csv",
  driving: "driving.json",
  football: "football.json",
  gapminder: "gapminder.json",
  income: "income.json",
  iowa_electricity: "iowa-electricity.csv",
  jobs: "jobs.json",
  la_riots: "la-riots.csv",
  movies: "movies.json",
  obesity: "obesity.json",
  penguins: "penguins.json",
  political_contributions: "political-contributions.json",
  population: "population.json",
  seattle_weather: "seattle-weather.csv",
  species: "species.csv",
  stocks: "stocks.csv",
  unemployment_across_industries: "unemployment-across-industries.json",
  us_employment: "us-employment.csv",
  us_state_capitals: "us-state-capitals.json",
  weather: "weather.csv",
  wheat: "wheat.json",
  zipcodes: "zipcodes.csv",
};

/** Copies the files of these tables into a folder, each with the name of its table. */
export function copyVegaTables(folder: string, names: readonly string[] = Object.keys(VEGA_TABLES)): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const file = VEGA_TABLES[name] ?? "";
    copyFileSync(join(DATA, file), join(folder, `${name}${file.slice(file.lastIndexOf("."))}`));
  }
}
