/** App packages: import, export, and packages that lie in folders. See README.md. */
export { packFolder, unpackToFolder } from "./archive/folder.ts";
export { PACKAGE_LIMITS, type PackageLimits } from "./archive/read-zip.ts";
export { createPackages, type PackagesDeps } from "./packages.ts";
