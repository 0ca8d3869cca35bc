import { writeSample } from "./write-sample.ts";

// Entry point of the child process that writes the sample. Arguments: the file, the last day.
const [file = "", lastDay = ""] = process.argv.slice(2);
await writeSample(file, new Date(lastDay));
