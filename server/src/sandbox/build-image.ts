// Run by the first start of a checkout while it generates code: builds the image of Python, so that the server need not.
import { writeImage } from "@frontdesk/sealed-python";
import { GUEST_PROGRAM, SHIPPED_IMAGES } from "./guest-program.ts";

await writeImage({ folder: SHIPPED_IMAGES, programFolder: GUEST_PROGRAM });
