/** App packages: import, export, and packages that lie in folders. See README.md. */
export { packFolder, unpackToFolder } from "./folder/pack-folder.ts";
export { createPackages, type PackagesDeps } from "./packages.ts";
export { PACKAGE_LIMITS, type PackageLimits } from "./zip/package-limits.ts";
