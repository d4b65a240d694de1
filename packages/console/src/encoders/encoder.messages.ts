/** What the encoder screens say; texts of the catalogue word for word. */
import { PRODUCT_NAME } from '@trunkline/contract/product'

/** NAV-24. */
export const WELCOME = `Welcome to ${PRODUCT_NAME}`
/** ERR-22. */
export const NOT_YET_CONFIGURED = 'This encoder is not yet configured.'
/** ERR-08. */
export const NO_RESPONSE = "Don't get any response"
/** Q66. */
export const DISABLED = 'Disabled'
/** The command was taken, and its host is at it for longer than a toast waits. */
export const STILL_STOPPING = {
  start: 'stopping',
  stop: 'stopping',
  restart: 'stopping, will restart',
} as const
export const LOG_TITLE = 'Encoder logs'

/** Of a page that is shown by state and kept still under the pointer. */
export const START_FIRST = 'Only a running encoder can be restarted. Start it instead.'
export const STATE_NOT_KNOWN = 'Its state has not been read yet.'

/** Of a death whose log says nothing. */
export const ENDED_BY_ITSELF = 'It ended by itself and was started again.'

/** Saved settings that the host or the process has not taken, and what was changed behind our back. */
export const WAITING = {
  hand: 'changed by hand',
  host: 'waiting for host',
  restart: 'waiting for restart',
} as const
export const WAITS_FOR_HOST =
  'The host does not answer, so it has not taken the saved settings yet. It takes them when it is back.'
export const WAITS_FOR_RESTART =
  'It still runs with the settings from before the last save. Restart it to use the saved ones.'

/** While it does not run. */
export function whatGoesDark(feeders: number): string {
  if (feeders === 0) return 'Its outputs lose the stream'
  return `Its outputs and ${feeders === 1 ? 'its feeder' : `its ${feeders} feeders`} lose the stream`
}
