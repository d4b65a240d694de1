import { statfs } from 'node:fs/promises'

/** Of the disk that this folder is on. What this user may still write counts as free. */
export async function diskSpaceOf(
  folder: string,
): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
