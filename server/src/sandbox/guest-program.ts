import { join } from "node:path";

/** The Python package that makes a sealed interpreter this product's: classes and globals that user code finds. */
export const GUEST_PROGRAM = join(import.meta.dirname, "../../guest/frontdesk_guest");

/** Images of it that were built before a server starts: by who made the published package, or by the first start of a checkout. */
export const SHIPPED_IMAGES = join(import.meta.dirname, "../../python-image");
