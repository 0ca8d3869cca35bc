/**
 * Characters of a YAML text that are worth reading at once: about a second of work, and far beyond any text that people
 * write. JSON reads a hundred times faster and has no such limit.
 */
export const MOST_YAML = 1024 * 1024;
