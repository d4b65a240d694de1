/** What the Channels pages say. The texts of the error catalogue are letter for letter. */
import type { EngineFailure } from './player.rules.ts'

export const TITLE_UPDATED = 'Channel title updated successfully!'
export const TITLE_FAILED = 'Error updating channel title!'
export const RESTARTED = 'Server restarted successfully!'
export const RESTART_FAILED = 'Failed to restart the server!'
export const STATUS_UPDATED = 'Status updated successfully!'
export const STATUS_FAILED = 'Something went wrong! Please try again.'

export const TITLE_EMPTY = 'The title must not be empty. Type at least one character.'
export const STREAM_UNREAD = 'The stream could not be read, so it cannot be changed now.'
export const STREAM_GONE = 'The server does not list this stream any more.'
export const LIST_FAILED = 'The list of channels could not be read.'

/** Why there is no picture, and what happens next. */
export function noPictureText(failure: EngineFailure): { cause: string; next: string } {
  return { cause: causeOf(failure), next: 'Tried again every 2 s. The picture returns by itself.' }
}

function causeOf(failure: EngineFailure): string {
  if (failure.kind === 'media') return 'The picture could not be decoded'
  const part = failure.kind === 'playlist' ? 'playlist' : 'media'
  const { httpStatus } = failure
  if (httpStatus === 0) return `The ${part} could not be reached`
  if (httpStatus === 404) return 'No playlist yet: no media has arrived at the channel server'
  if (httpStatus === 401 || httpStatus === 403) return `The server refused the ${part}`
  return `The server could not deliver the ${part} (answer ${httpStatus})`
}
