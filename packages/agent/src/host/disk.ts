/** The disk of the agent's data folder: its free space, and what a write to a full disk throws. */
import { statfsSync } from 'node:fs'
import { defaultThreshold, isDiskLow } from '@trunkline/contract/alarms/threshold.rules'
import type { DiskState, HostHealth } from '@trunkline/contract/agent/host-health.schema'

const LOW_PERCENT = defaultThreshold('disk-full') ?? 0
/** Less than one record of a program with its draft. */
const FULL_BYTES = 100_000

const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EFBIG']

/** Also of a disk that is read-only, and of a quota: nothing can be written there. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISK_CODES.includes(String(error.code))
}

/** `isFailing`: the last write there failed because the disk was full, whatever the sizes say. */
export function diskStateOf(
  sizes: { freeBytes: number; totalBytes: number },
  isFailing: boolean,
): DiskState {
  if (isFailing || sizes.freeBytes < FULL_BYTES) return 'full'
  return isDiskLow(sizes, LOW_PERCENT) ? 'low' : 'ok'
}

/** What a user without privileges may still write counts. Throws when the folder or its disk is gone. */
export function readDisk(path: string, isFailing: boolean): HostHealth['disk'] {
  const { bavail, blocks, bsize } = statfsSync(path)
  const sizes = { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  return { path, ...sizes, state: diskStateOf(sizes, isFailing) }
}

/** For a disk whose sizes cannot be read: nothing can be relied on to be written there. */
export function unreadableDisk(path: string, last: HostHealth['disk'] | null): HostHealth['disk'] {
  const { freeBytes, totalBytes } = last ?? { freeBytes: 0, totalBytes: 0 }
  return { path, freeBytes, totalBytes, state: 'full', unreadable: true }
}
