import { writeSample } from "./write-sample.ts";

/** A process that writes the sample and ends: its arguments are the file and the last day. */
const [file = "", lastDay = ""] = process.argv.slice(2);
await writeSample(file, new Date(lastDay));
