/** The state of a push output of a channel, in words: the same on every screen. */
import type { Family, Shape, StateView } from '../fleet/state-view.rules.ts'
import { STATE_WORDS } from '../fleet/state-words.ts'
import type { StreamPush } from './stream.schema.ts'

export interface PushView {
  url: string
  isOn: boolean
  state: StateView
}

/** The streamer API's words: starting, pending, retry, error, or establishing, running, stalling, finished. */
export function viewOfPush(push: StreamPush, isChannelOff = false): PushView {
  const isOn = push.disabled !== true
  if (isOn && isChannelOff) {
    return {
      url: push.url,
      isOn,
      state: view('off', 'square', STATE_WORDS.stopped, 'the channel is off'),
    }
  }
  return { url: push.url, isOn, state: pushState(isOn, push.stats) }
}

function pushState(isOn: boolean, stats: StreamPush['stats']): StateView {
  if (!isOn) return view('off', 'ring-slash', STATE_WORDS.disabled, '')
  const { status = '', last_error: error = '', retries = 0 } = stats ?? {}
  const tries = retries > 0 ? `tried ${retries + 1} times` : ''
  const cause = (fallback: string) => andAlso(error || fallback, tries)
  switch (status) {
    case 'running':
      // It says running while it begins again and again.
      return error !== '' && retries > 0
        ? view('warn', 'half-disc', STATE_WORDS.running, cause(''))
        : view('ok', 'disc', STATE_WORDS.running, '')
    case 'starting':
    case 'pending':
    case 'establishing':
      return error === ''
        ? view('move', 'arc', 'Connecting', '')
        : view('warn', 'half-disc', 'Connecting', cause(''))
    case 'retry':
      return view('warn', 'half-disc', 'Connecting', cause('the far end refuses it'))
    case 'stalling':
      return view('warn', 'ring', STATE_WORDS.running, error || 'stalling')
    case 'finished':
      return view('off', 'square', STATE_WORDS.stopped, error)
    case 'error':
      return view('bad', 'octagon', 'Error', cause('push failed'))
    default:
      return view('blind', 'diamond-question', STATE_WORDS.unknown, status || 'no status')
  }
}

/** A server's words are a word or two, or whole sentences: 'refused, tried 3 times', 'It is away. Tried 3 times.' */
export function andAlso(words: string, more: string): string {
  if (words === '' || more === '') return words || more
  if (!words.endsWith('.')) return `${words}, ${more}`
  return `${words} ${more.charAt(0).toUpperCase()}${more.slice(1)}.`
}

function view(family: Family, shape: Shape, word: string, cause: string): StateView {
  return { family, shape, word, cause, sinceMs: null }
}
