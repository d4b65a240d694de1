/** Playlists on disk, whoever put them there. */
import { readPlainFile } from '../../supervisor/plain-file.ts'
import { MAX_PLAYLIST_BYTES } from './playlist-text.ts'

/** Null when it is not there, is no ordinary file, or is longer than any of ours: then it is none. */
export function readPlaylist(path: string): string | null {
  const bytes = readPlainFile(path, MAX_PLAYLIST_BYTES)?.bytes
  return bytes === undefined || bytes.length === MAX_PLAYLIST_BYTES ? null : bytes.toString()
}
