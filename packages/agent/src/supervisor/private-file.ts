import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { textOf } from '../host/files.ts'

/** Readable by its owner alone; after a power cut whole, or as it was before. */
export function writePrivate(file: string, text: string): void {
  write(file, text, 'synced')
}

/** The same, and nothing on a disk that has it already: a full one keeps no supervisord from starting. */
export function writePrivateIfChanged(file: string, text: string): void {
  if (textOf(file) !== text) writePrivate(file, text)
}

/** The same without waiting for the disk: a power cut may lose it, as counters may be. */
export function writePrivateSoon(file: string, text: string): void {
  write(file, text, 'buffered')
}

function write(file: string, text: string, how: 'synced' | 'buffered'): void {
  const draft = `${file}.new`
  const fd = openSync(draft, 'w', 0o600)
  try {
    // All of it or an error: a disk that is nearly full takes part of a single write without a word.
    writeFileSync(fd, text)
    if (how === 'synced') fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(draft, file)
}
