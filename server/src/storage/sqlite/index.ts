/** What a start of the server begins before it reads the rest of its code. */

export { prepareWriterThread } from "./writer-thread.ts";
