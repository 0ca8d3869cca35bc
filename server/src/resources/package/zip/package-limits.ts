/**
 * How large a package may be. The hosted product does not publish its limits (PKG-4); these are far above the
 * largest packages seen and far below what would hurt this server.
 */
export interface PackageLimits {
  /** Bytes of the zip itself. */
  readonly archiveBytes: number;
  /** Files and folders. */
  readonly entries: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files together. */
  readonly totalBytes: number;
  /** Bytes out per byte in, for files above `ratioFromBytes`: text rarely passes 20, a zip bomb reaches 1,000. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
}

const MEBIBYTE = 1024 * 1024;

/** The limits unless a caller hands in others. */
export const PACKAGE_LIMITS: PackageLimits = {
  archiveBytes: 64 * MEBIBYTE,
  entries: 10_000,
  fileBytes: 16 * MEBIBYTE,
  totalBytes: 128 * MEBIBYTE,
  ratio: 200,
  ratioFromBytes: MEBIBYTE,
};
