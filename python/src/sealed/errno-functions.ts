/** Errno values of the guest's C library. */
export const EBADF = 8;
export const EINVAL = 28;
const ENOENT = 44;
const EPERM = 63;

/**
 * System calls that are answered with an error and do nothing: no file exists, no descriptor is open, nothing else is
 * permitted. Python sees an OSError. A system call answers the negative errno.
 */
export const ERRNO_FUNCTIONS: Readonly<Record<string, number>> = {
  ...all(-ENOENT, [
    ...["__syscall_openat", "__syscall_stat64", "__syscall_lstat64", "__syscall_newfstatat", "__syscall_faccessat"],
    ...["__syscall_readlinkat", "__syscall_getcwd"],
  ]),
  ...all(-EBADF, [
    ...[
      "__syscall_fstat64",
      "__syscall_getdents64",
      "__syscall_fcntl64",
      "__syscall_ioctl",
      "__syscall_dup",
      "__syscall_dup3",
    ],
    ...[
      "__syscall_ftruncate64",
      "__syscall_fdatasync",
      "__syscall_fadvise64",
      "__syscall_fallocate",
      "__syscall_fstatfs64",
    ],
    ...["__syscall_fchdir", "__syscall_fchmod", "__syscall_fchown32"],
  ]),
  ...all(-EPERM, [
    ...[
      "__syscall_unlinkat",
      "__syscall_mkdirat",
      "__syscall_rmdir",
      "__syscall_renameat",
      "__syscall_chmod",
      "__syscall_chdir",
    ],
    ...["__syscall_statfs64", "__syscall_utimensat", "__syscall_poll", "__syscall__newselect", "__syscall_symlink"],
    ...[
      "__syscall_symlinkat",
      "__syscall_fchmodat2",
      "__syscall_truncate64",
      "__syscall_fchownat",
      "__syscall_mknodat",
    ],
    ...[
      "__syscall_pipe",
      "__syscall_socket",
      "__syscall_connect",
      "__syscall_bind",
      "__syscall_listen",
      "__syscall_accept4",
    ],
    ...["__syscall_sendto", "__syscall_recvfrom", "__syscall_sendmsg", "__syscall_recvmsg", "__syscall_getsockname"],
    ...[
      "__syscall_getpeername",
      "__syscall_getsockopt",
      "_mmap_js",
      "_munmap_js",
      "_msync_js",
      "_emscripten_system",
      "_setitimer_js",
    ],
  ]),
  // The WASI calls answer the errno itself.
  ...all(EBADF, ["fd_close", "fd_seek", "fd_sync", "fd_fdstat_get", "fd_pread", "fd_pwrite"]),
  // Name resolution has error codes of its own (-1: bad flags); the loader of native modules answers a null handle.
  getaddrinfo: -1,
  _dlopen_js: 0,
};

function all(value: number, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, value]));
}
